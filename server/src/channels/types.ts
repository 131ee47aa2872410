/** The types that are delivered, and the field of their configuration that says where to. */
export const targetFields = {
  WEBHOOK: 'url',
  EMAIL: 'to',
  IN_APP: null,
  SLACK: 'url',
  LARK: 'url',
  DINGTALK: 'url',
  WECOM: 'url',
  MS_TEAMS: 'url',
  SMS: 'to',
} as const;

export type DeliveringType = keyof typeof targetFields;

export const deliveringTypes = Object.keys(targetFields) as DeliveringType[]; // Object.keys forgets the literal keys

export const isDelivering = (typeCode: string): typeCode is DeliveringType =>
  Object.hasOwn(targetFields, typeCode);

/** Modes as a request writes them, and as a record does. */
export const channelModes = { 1: 'LIVE', 2: 'TEST' } as const;
export type ModeCode = keyof typeof channelModes;

export const channelStatuses = ['ACTIVE', 'FAILING', 'DISABLED'] as const;
export type ChannelStatus = (typeof channelStatuses)[number];

/** Who or what disabled a channel: its receiver was gone for good, nothing arrived for too long, or an owner. */
export const disabledReasons = ['GONE', 'FAILED', 'OWNER'] as const;

export const deliveryStatuses = ['PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];
