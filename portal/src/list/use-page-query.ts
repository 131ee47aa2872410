import type { FlatPage, PageQuery } from '@portico/sdk/portal';
import { type QueryKey, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { awayMs, isServerAway } from '../ui/error-text.ts';

/** Any page of what the filters leave. */
export type LoadPage<Item> = (query: PageQuery, options: { signal: AbortSignal }) => Promise<FlatPage<Item>>;

export type PageResult<Item> = {
  page: FlatPage<Item> | undefined;
  /** Kept while it is tried again. */
  error: unknown;
  isFetching: boolean;
  /** The rows shown are of the question before. */
  isPrevious: boolean;
  retry(): void;
  load: LoadPage<Item>;
};

type Options<Item> = {
  /** Everything the answer depends on but for the page. */
  key: QueryKey;
  /** Which page, how long and in which order. */
  query: PageQuery;
  load: LoadPage<Item>;
  /** When to ask again by itself, of what is there; a hidden tab does not. */
  pollMs?: (page: FlatPage<Item>) => number | false;
};

/** A page of a list. The former rows stay until the next ones are there, and a service that was away is found again. */
export function usePageQuery<Item>({ key, query, load, pollMs }: Options<Item>): PageResult<Item> {
  const { data, error, isFetching, isSuccess, refetch } = useQuery({
    queryKey: [...key, query],
    queryFn: ({ signal }) => load(query, { signal }),
    refetchInterval: ({ state }) => {
      if (isServerAway(state.error)) return awayMs;
      return state.data === undefined ? false : (pollMs?.(state.data) ?? false);
    },
  });
  const [last, setLast] = useState<{ page: FlatPage<Item> | undefined; error: unknown }>({
    page: data,
    error: null,
  });
  // While it is tried again, the query itself knows neither the rows before nor the error.
  if (isSuccess && (last.page !== data || last.error !== null)) setLast({ page: data, error: null });
  if (error !== null && last.error !== error) setLast({ ...last, error });
  return {
    page: data ?? last.page,
    error: error ?? (isSuccess ? null : last.error),
    isFetching,
    isPrevious: data === undefined && last.page !== undefined,
    retry: () => void refetch(),
    load,
  };
}
