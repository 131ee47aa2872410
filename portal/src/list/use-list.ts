import type { PageQuery } from '@portico/sdk/portal';
import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { type ListDefinition, type ListState, readListState, writeListState } from './url-state.ts';

type Changes<Filter extends string> = { [Name in Filter]?: string | undefined };

export type List<Field extends string, Filter extends string> = {
  state: ListState<Field, Filter>;
  /** The same as the service wants it. */
  query: PageQuery;
  setPage(page: number): void;
  setSize(size: number): void;
  /** Sorts by a field; by the same once more, the other way round. */
  sortBy(field: Field): void;
  /** Undefined: without this filter. */
  setFilter(name: Filter, value: string | undefined): void;
  /** Several at once, in one step of the history. */
  setFilters(values: Changes<Filter>): void;
  clearFilters(): void;
};

/** The state of a list, kept in the address: each change is a step of the browser's history. */
export function useList<Field extends string, Filter extends string>(
  definition: ListDefinition<Field, Filter>,
): List<Field, Filter> {
  const [params, setParams] = useSearchParams();
  return useMemo(() => {
    const state = readListState(definition, params);
    const { field, direction } = state.sort;
    const change = (to: Partial<ListState<Field, Filter>>) =>
      setParams((now) => writeListState(definition, { ...state, page: 1, ...to }, now));
    const setFilters = (values: Changes<Filter>) => {
      const set = Object.entries({ ...state.filters, ...values }).filter(([, value]) => value !== undefined);
      change({ filters: Object.fromEntries(set) as ListState<Field, Filter>['filters'] }); // entries forget their keys
    };
    return {
      state,
      query: { page: state.page - 1, size: state.size, sort: `${field},${direction}` },
      setPage: (page) => change({ page }),
      setSize: (size) => change({ size }),
      sortBy: (to) =>
        change({ sort: { field: to, direction: to === field && direction === 'asc' ? 'desc' : 'asc' } }),
      // An object with a computed name forgets which.
      setFilter: (name, value) => setFilters({ [name]: value } as Changes<Filter>),
      setFilters,
      clearFilters: () => change({ filters: {} }),
    };
  }, [definition, params, setParams]);
}
