import { useQuery } from '@tanstack/react-query';
import { ChosenFilter } from '../../list/chosen-filter.tsx';
import { ClearFilters } from '../../list/clear-filters.tsx';
import { DayRange } from '../../list/day-range.tsx';
import { FilterSelect } from '../../list/filter-select.tsx';
import type { List } from '../../list/use-list.ts';
import { useMode } from '../../session/mode.ts';
import { portal } from '../../session/portal.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { requestWords as words } from '../../words/requests.ts';
import { type Filter, type SortField, statusClasses } from './list.ts';

const keysMax = 100;

const classNames = () => ({
  '2xx': words.passedClass,
  '4xx': words.refusedClass,
  '5xx': words.failedClass,
});

/** The keys to choose from, by name; one that is chosen and is not among them stands by its id. */
function useKeyOptions(workspaceId: string, chosen: string | undefined) {
  const mode = useMode();
  const { data } = useQuery({
    queryKey: ['api-keys', workspaceId, 'options', mode],
    queryFn: ({ signal }) =>
      portal.listApiKeys(workspaceId, { mode }, { page: 0, size: keysMax, sort: 'name,asc' }, { signal }),
    staleTime: 60_000,
  });
  const keys = data?.content ?? [];
  const options = keys.map(({ apiKeyId, name }) => ({ value: apiKeyId, label: visibleText(name) }));
  const isMissing = chosen !== undefined && !options.some(({ value }) => value === chosen);
  return isMissing ? [...options, { value: chosen, label: chosen }] : options;
}

export function Toolbar({ workspaceId, list }: { workspaceId: string; list: List<SortField, Filter> }) {
  const { statusClass, apiKeyId, code, requestId } = list.state.filters;
  const set = (name: Filter) => (value: string | undefined) => list.setFilter(name, value);
  const names = classNames();
  return (
    <>
      <FilterSelect
        label={words.result}
        value={statusClass}
        onChange={set('statusClass')}
        options={statusClasses.map((value) => ({ value, label: names[value] }))}
      />
      <FilterSelect
        label={words.key}
        value={apiKeyId}
        onChange={set('apiKeyId')}
        options={useKeyOptions(workspaceId, apiKeyId)}
      />
      <DayRange label={words.received} list={list} />
      <ChosenFilter label={words.code} value={code} onRemove={() => list.setFilter('code', undefined)} />
      <ChosenFilter
        label={words.requestId}
        value={requestId}
        onRemove={() => list.setFilter('requestId', undefined)}
      />
      <ClearFilters list={list} />
    </>
  );
}
