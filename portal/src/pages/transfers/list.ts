import { type TransferFilters, transferStatuses } from '@portico/sdk/portal';
import { endOfDay, isDay, startOfDay } from '../../list/days.ts';
import { defineList, type ListState } from '../../list/url-state.ts';

export type SortField = 'createdAt' | 'updatedAt' | 'amount' | 'currency' | 'status';
export type Filter = 'status' | 'currency' | 'from' | 'to';

export const isCurrency = (text: string): boolean => /^[A-Z]{3}$/.test(text);

export const transfersList = defineList<SortField, Filter>({
  sortable: ['createdAt', 'updatedAt', 'amount', 'currency', 'status'],
  defaultSort: { field: 'createdAt', direction: 'desc' },
  filters: { status: transferStatuses, currency: isCurrency, from: isDay, to: isDay },
});

export function serviceFilters(filters: ListState<SortField, Filter>['filters']): TransferFilters {
  const { status, currency, from, to } = filters;
  return {
    ...(status === undefined ? {} : { status }),
    ...(currency === undefined ? {} : { currency }),
    ...(from === undefined ? {} : { createdFrom: startOfDay(from) }),
    ...(to === undefined ? {} : { createdTo: endOfDay(to) }),
  };
}
