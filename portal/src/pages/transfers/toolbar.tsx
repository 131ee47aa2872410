import { TextInput } from '@mantine/core';
import { transferStatuses } from '@portico/sdk/portal';
import { useState } from 'react';
import { ClearFilters } from '../../list/clear-filters.tsx';
import { DayRange } from '../../list/day-range.tsx';
import { FilterSelect } from '../../list/filter-select.tsx';
import { useDraft } from '../../list/use-draft.ts';
import type { List } from '../../list/use-list.ts';
import { transfersWords } from '../../words/transfers.tsx';
import { type Filter, isCurrency, referenceMax, type SortField } from './list.ts';
import classes from './toolbar.module.css';

type FilterProps = { value: string | undefined; onChange(value: string | undefined): void };

/** Filters as soon as the code is whole. */
function CurrencyFilter({ value = '', onChange }: FilterProps) {
  const [draft, setDraft] = useDraft(value);
  const [isLeft, setIsLeft] = useState(false);
  const change = (text: string) => {
    const code = text.replace(/[^a-z]/gi, '').toUpperCase();
    setDraft(code);
    if (code !== value && (code === '' || isCurrency(code))) onChange(code || undefined);
  };
  const isPart = isLeft && draft !== '' && !isCurrency(draft);
  return (
    <TextInput
      className={classes['currency'] ?? ''}
      label={transfersWords.currency}
      placeholder={transfersWords.all}
      maxLength={3}
      autoComplete="off"
      spellCheck={false}
      value={draft}
      error={isPart ? transfersWords.threeLetters : undefined}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      onFocus={() => setIsLeft(false)}
      onBlur={() => setIsLeft(true)}
    />
  );
}

/** Exactly this one, so it counts when it is whole: on Enter, or when the field is left. */
function ReferenceFilter({ value = '', onChange }: FilterProps) {
  const [draft, setDraft] = useDraft(value);
  const apply = () => {
    if (draft !== value) onChange(draft || undefined);
  };
  return (
    <TextInput
      className={classes['reference'] ?? ''}
      label={transfersWords.reference}
      placeholder={transfersWords.all}
      maxLength={referenceMax}
      autoComplete="off"
      spellCheck={false}
      value={draft}
      onChange={({ currentTarget }) => setDraft(currentTarget.value)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') apply();
      }}
      onBlur={apply}
    />
  );
}

export function Toolbar({ list }: { list: List<SortField, Filter> }) {
  const { status, currency, reference } = list.state.filters;
  const set = (name: Filter) => (value: string | undefined) => list.setFilter(name, value);
  return (
    <>
      <FilterSelect
        label={transfersWords.status}
        value={status}
        onChange={set('status')}
        options={transferStatuses}
      />
      <CurrencyFilter value={currency} onChange={set('currency')} />
      <ReferenceFilter value={reference} onChange={set('reference')} />
      <DayRange label={transfersWords.created} list={list} />
      <ClearFilters list={list} />
    </>
  );
}
