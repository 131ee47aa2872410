import { ChosenFilter } from '../../list/chosen-filter.tsx';
import { ClearFilters } from '../../list/clear-filters.tsx';
import { DayRange } from '../../list/day-range.tsx';
import { FilterSelect } from '../../list/filter-select.tsx';
import type { List } from '../../list/use-list.ts';
import { actionText } from '../../ui/audit-words.ts';
import { auditLogWords } from '../../words/audit-log.ts';
import { type Filter, type SortField, workspaceActions } from './list.ts';

const actions = () => workspaceActions.map((value) => ({ value, label: actionText(value) }));

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
      <ChosenFilter
        label={auditLogWords.by}
        value={actorId}
        onRemove={() => list.setFilter('actorId', undefined)}
      />
      <ChosenFilter
        label={auditLogWords.on}
        value={subjectId}
        onRemove={() => list.setFilter('subjectId', undefined)}
      />
      <ClearFilters list={list} />
    </>
  );
}
