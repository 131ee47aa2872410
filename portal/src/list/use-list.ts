import type { PageQuery } from '@portico/sdk/portal';
import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { type ListDefinition, type ListState, readListState, writeListState } from './url-state.ts';

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
    return {
      state,
      query: { page: state.page - 1, size: state.size, sort: `${field},${direction}` },
      setPage: (page) => change({ page }),
      setSize: (size) => change({ size }),
      sortBy: (to) =>
        change({ sort: { field: to, direction: to === field && direction === 'asc' ? 'desc' : 'asc' } }),
      setFilter: (name, value) => {
        const { [name]: _former, ...others } = state.filters;
        const filters = value === undefined ? others : { ...others, [name]: value };
        change({ filters: filters as ListState<Field, Filter>['filters'] }); // a spread of a generic forgets its keys
      },
      clearFilters: () => change({ filters: {} }),
    };
  }, [definition, params, setParams]);
}
