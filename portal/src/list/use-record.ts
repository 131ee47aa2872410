import { type QueryKey, useQuery } from '@tanstack/react-query';
import { awayMs, isServerAway } from '../ui/error-text.ts';
import type { PageResult } from './use-page-query.ts';

export type RecordResult<Found> = {
  /** What the address names; undefined: nothing. */
  id: string | undefined;
  record: Found | undefined;
  error: unknown;
  isFetching: boolean;
  retry(): void;
};

type Options<Found> = {
  /** Everything the answer depends on but for the id. */
  key: QueryKey;
  id: string | undefined;
  /** The list that it may be in, and what is known of it there. */
  page: Pick<PageResult<unknown>, 'page' | 'error' | 'isPrevious'>;
  row: Found | undefined;
  load(id: string, options: { signal: AbortSignal }): Promise<Found>;
  pollMs?: (found: Found) => number | false;
};

/** The record that the address names: a row of the page, or, wherever else it is, asked for by its id. */
export function useRecord<Found>({ key, id, page, row, load, pollMs }: Options<Found>): RecordResult<Found> {
  const isListed = (page.page !== undefined && !page.isPrevious) || page.error !== null;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...key, 'one', id],
    // Never asked without an id.
    queryFn: ({ signal }) => load(id ?? '', { signal }),
    enabled: id !== undefined && row === undefined && isListed,
    staleTime: 0,
    refetchInterval: ({ state }) => {
      if (isServerAway(state.error)) return awayMs;
      return state.data === undefined ? false : (pollMs?.(state.data) ?? false);
    },
  });
  const isAsked = id !== undefined && row === undefined;
  return {
    id,
    record: row ?? (isAsked ? data : undefined),
    error: isAsked ? error : null,
    isFetching,
    retry: () => void refetch(),
  };
}
