import { type TransferFilters, transferStatuses } from '@portico/sdk/portal';
import { defineList, type ListState } from '../../list/url-state.ts';

export type SortField = 'createdAt' | 'updatedAt' | 'amount' | 'currency' | 'status';
export type Filter = 'status' | 'currency' | 'from' | 'to';

export const isCurrency = (text: string): boolean => /^[A-Z]{3}$/.test(text);

const dayMs = 86_400_000;
const midnight = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** A day that exists, as a date input writes it; of a year that nobody is in the middle of typing. */
export function isDay(text: string): boolean {
  if (!/^(19[7-9]\d|2\d{3})-\d{2}-\d{2}$/.test(text)) return false;
  const at = midnight(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

export const transfersList = defineList<SortField, Filter>({
  sortable: ['createdAt', 'updatedAt', 'amount', 'currency', 'status'],
  defaultSort: { field: 'createdAt', direction: 'desc' },
  filters: { status: transferStatuses, currency: isCurrency, from: isDay, to: isDay },
});

/** Days are of UTC and both belong to the range: the service is asked for what is before the day after the last. */
export function serviceFilters(filters: ListState<SortField, Filter>['filters']): TransferFilters {
  const { status, currency, from, to } = filters;
  return {
    ...(status === undefined ? {} : { status }),
    ...(currency === undefined ? {} : { currency }),
    ...(from === undefined ? {} : { createdFrom: new Date(midnight(from)).toISOString() }),
    ...(to === undefined ? {} : { createdTo: new Date(midnight(to) + dayMs).toISOString() }),
  };
}
