import type { Mode, RequestFilters } from '@portico/sdk/portal';
import { endOfDay, isDay, startOfDay } from '../../list/days.ts';
import { defineList, type ListState } from '../../list/url-state.ts';

export type SortField = 'occurredAt';
export type Filter = 'statusClass' | 'apiKeyId' | 'code' | 'requestId' | 'from' | 'to';

export const statusClasses = ['2xx', '4xx', '5xx'] as const;

const isId = (text: string): boolean => /^[\x21-\x7e]{1,128}$/.test(text);
const isCode = (text: string): boolean => /^[A-Z0-9_.]{1,64}$/.test(text);

export const requestsList = defineList<SortField, Filter>({
  sortable: ['occurredAt'],
  defaultSort: { field: 'occurredAt', direction: 'desc' },
  filters: {
    statusClass: statusClasses,
    apiKeyId: isId,
    code: isCode,
    requestId: isId,
    from: isDay,
    to: isDay,
  },
});

export function serviceFilters(filters: ListState<SortField, Filter>['filters'], mode: Mode): RequestFilters {
  const { from, to, ...others } = filters;
  return {
    ...others,
    mode,
    ...(from === undefined ? {} : { from: startOfDay(from) }),
    ...(to === undefined ? {} : { to: endOfDay(to) }),
  };
}
