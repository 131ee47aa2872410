import type { FlatPage } from '@portico/sdk/portal';
import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isServerAway } from '../ui/error-text.ts';

/** How often a service that is away is tried again. */
const awayMs = 3000;

export type PageResult<Item> = {
  page: FlatPage<Item> | undefined;
  /** Kept while it is tried again. */
  error: unknown;
  isFetching: boolean;
  /** The rows shown are of the question before. */
  isPrevious: boolean;
  retry(): void;
};

type Options<Item> = {
  /** Everything the answer depends on. */
  key: QueryKey;
  fetch(options: { signal: AbortSignal }): Promise<FlatPage<Item>>;
};

/** A page of a list. The former rows stay until the next ones are there, and a service that was away is found again. */
export function usePageQuery<Item>({ key, fetch }: Options<Item>): PageResult<Item> {
  const { data, error, isFetching, isPlaceholderData, isSuccess, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => fetch({ signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      isServerAway(state.error) || state.fetchFailureCount > 0 ? awayMs : false,
  });
  const [lastError, setLastError] = useState<unknown>(null);
  useEffect(() => {
    if (error !== null) setLastError(error);
    else if (isSuccess && !isFetching) setLastError(null);
  }, [error, isSuccess, isFetching]);
  return {
    page: data,
    error: error ?? (isFetching ? lastError : null),
    isFetching,
    isPrevious: isPlaceholderData,
    retry: () => void refetch(),
  };
}
