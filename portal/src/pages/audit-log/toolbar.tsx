import { Button, Pill } from '@mantine/core';
import { DayRange } from '../../list/day-range.tsx';
import { FilterSelect } from '../../list/filter-select.tsx';
import type { List } from '../../list/use-list.ts';
import { actionText } from '../../ui/audit-words.ts';
import { auditLogWords } from '../../words/audit-log.ts';
import { type Filter, type SortField, workspaceActions } from './list.ts';
import classes from './toolbar.module.css';

const actions = () => workspaceActions.map((value) => ({ value, label: actionText(value) }));

/** Whose records, or records of what: chosen in a record, and taken back here. */
function Chosen({ label, value, onRemove }: { label: string; value: string; onRemove: () => void }) {
  return (
    <Pill
      className={classes['chosen'] ?? ''}
      withRemoveButton
      onRemove={onRemove}
      removeButtonProps={{
        'aria-label': auditLogWords.removeFilter(label, value),
        'aria-hidden': false,
        tabIndex: 0,
      }}
    >
      {label} <span className={classes['id']}>{value}</span>
    </Pill>
  );
}

export function Toolbar({ list }: { list: List<SortField, Filter> }) {
  const { action, actorId, subjectId } = list.state.filters;
  const set = (name: Filter) => (value: string | undefined) => list.setFilter(name, value);
  return (
    <>
      <FilterSelect
        label={auditLogWords.action}
        value={action}
        onChange={set('action')}
        options={actions()}
      />
      <DayRange label={auditLogWords.done} list={list} />
      {actorId === undefined ? null : (
        <Chosen
          label={auditLogWords.by}
          value={actorId}
          onRemove={() => list.setFilter('actorId', undefined)}
        />
      )}
      {subjectId === undefined ? null : (
        <Chosen
          label={auditLogWords.on}
          value={subjectId}
          onRemove={() => list.setFilter('subjectId', undefined)}
        />
      )}
      {Object.keys(list.state.filters).length === 0 ? null : (
        <Button variant="subtle" onClick={list.clearFilters}>
          {auditLogWords.clearFilters}
        </Button>
      )}
    </>
  );
}
