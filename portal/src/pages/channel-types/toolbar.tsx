import { Checkbox, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { channelTypeStatuses } from '@portico/sdk/portal';
import { ClearFilters } from '../../list/clear-filters.tsx';
import { FilterSelect } from '../../list/filter-select.tsx';
import { useDraft } from '../../list/use-draft.ts';
import type { List } from '../../list/use-list.ts';
import { channelTypesWords } from '../../words/channel-types.ts';
import type { Filter, SortField } from './list.ts';
import classes from './toolbar.module.css';

type CodeProps = { value: string; onChange(value: string | undefined): void };

/** What is typed counts after a pause, at once on Enter. */
function CodeFilter({ value, onChange }: CodeProps) {
  const [text, setText] = useDraft(value);
  const apply = () => {
    if (text !== value) onChange(text || undefined);
  };
  const applySoon = useDebouncedCallback(apply, 400);
  return (
    <TextInput
      className={classes['code'] ?? ''}
      label={channelTypesWords.typeCode}
      placeholder={channelTypesWords.suchAs}
      maxLength={32}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value.replace(/[^\w.-]/g, '').toUpperCase());
        applySoon();
      }}
      onKeyDown={({ key }) => {
        if (key === 'Enter') apply();
      }}
      onBlur={apply}
    />
  );
}

export function Toolbar({ list }: { list: List<SortField, Filter> }) {
  const { code, status, enabledOnly } = list.state.filters;
  return (
    <>
      <CodeFilter value={code ?? ''} onChange={(value) => list.setFilter('code', value)} />
      <FilterSelect
        label={channelTypesWords.status}
        value={status}
        onChange={(value) => list.setFilter('status', value)}
        options={channelTypeStatuses}
      />
      <Checkbox
        className={classes['enabled'] ?? ''}
        label={channelTypesWords.enabledOnly}
        checked={enabledOnly !== undefined}
        onChange={({ currentTarget }) =>
          list.setFilter('enabledOnly', currentTarget.checked ? 'true' : undefined)
        }
      />
      <ClearFilters list={list} />
    </>
  );
}
