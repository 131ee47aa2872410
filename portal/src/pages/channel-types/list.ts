import { type ChannelType, type ChannelTypeFilters, channelTypeStatuses } from '@portico/sdk/portal';
import { defineList, type ListState } from '../../list/url-state.ts';

export type SortField =
  | 'displayOrder'
  | 'typeName'
  | 'typeCode'
  | 'typeValue'
  | 'typeStatus'
  | 'createdAt'
  | 'updatedAt';
export type Filter = 'code' | 'status' | 'enabledOnly';

/** Of a line of the file that the catalogue is saved as. */
export const savedFields: readonly (keyof ChannelType)[] = [
  'typeCode',
  'typeName',
  'typeDescription',
  'typeStatus',
  'typeValue',
  'displayOrder',
  'createdAt',
  'updatedAt',
];

export const channelTypesList = defineList<SortField, Filter>({
  sortable: ['displayOrder', 'typeName', 'typeCode', 'typeValue', 'typeStatus', 'createdAt', 'updatedAt'],
  defaultSort: { field: 'displayOrder', direction: 'asc' },
  filters: {
    code: (text) => /^[\w.-]{1,32}$/.test(text),
    status: channelTypeStatuses,
    enabledOnly: ['true'],
  },
});

export function serviceFilters(filters: ListState<SortField, Filter>['filters']): ChannelTypeFilters {
  const { code, status, enabledOnly } = filters;
  return {
    // Codes are in capitals, and people are not.
    ...(code === undefined ? {} : { typeCode: code.toUpperCase() }),
    ...(status === undefined ? {} : { typeStatus: status }),
    ...(enabledOnly === undefined ? {} : { enabledOnly: true }),
  };
}
