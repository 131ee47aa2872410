import { type Transfer, type TransferFilters, transferStatuses } from '@portico/sdk/portal';
import { endOfDay, isDay, startOfDay } from '../../list/days.ts';
import { defineList, type ListState } from '../../list/url-state.ts';

export type SortField = 'createdAt' | 'updatedAt' | 'amount' | 'currency' | 'status';
export type Filter = 'status' | 'currency' | 'reference' | 'from' | 'to';

/** The parameter of the address that names the transfer whose drawer is open. */
export const openParameter = 'transfer';

/** Of every list and every single transfer of a workspace. */
export const transfersQuery = (workspaceId: string) => ['transfers', workspaceId];

/** How often what is about to change by itself is asked for again. */
export const movingMs = 3000;

export const isMoving = ({ status }: Transfer): boolean => status === 'PENDING' || status === 'PROCESSING';

export const referenceMax = 140;

/** Of a line of the file that a list is saved as. */
export const savedFields: readonly (keyof Transfer)[] = [
  'transferId',
  'amount',
  'currency',
  'status',
  'reference',
  'createdAt',
  'updatedAt',
];

export const isCurrency = (text: string): boolean => /^[A-Z]{3}$/.test(text);

export const transfersList = defineList<SortField, Filter>({
  sortable: ['createdAt', 'updatedAt', 'amount', 'currency', 'status'],
  defaultSort: { field: 'createdAt', direction: 'desc' },
  filters: {
    status: transferStatuses,
    currency: isCurrency,
    reference: (text) => text !== '' && text.length <= referenceMax,
    from: isDay,
    to: isDay,
  },
});

export function serviceFilters(filters: ListState<SortField, Filter>['filters']): TransferFilters {
  const { status, currency, reference, from, to } = filters;
  return {
    ...(status === undefined ? {} : { status }),
    ...(currency === undefined ? {} : { currency }),
    ...(reference === undefined ? {} : { reference }),
    ...(from === undefined ? {} : { createdFrom: startOfDay(from) }),
    ...(to === undefined ? {} : { createdTo: endOfDay(to) }),
  };
}
