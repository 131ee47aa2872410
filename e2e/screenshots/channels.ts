import type { BrowserContext } from 'playwright-core';
import type {
  ChannelRecord,
  DeliveryRecord,
  EventType,
  NotificationRecord,
} from '../../sdk/src/portal/index.ts';
import { pictureTime } from './keys.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Counted from the day of the pictures. */
const ago = (seconds: number) => new Date(pictureTime.getTime() - seconds * 1000).toISOString();

const transfers: EventType[] = [
  'transfer.created',
  'transfer.processing',
  'transfer.completed',
  'transfer.failed',
  'transfer.cancelled',
];

const settlement: ChannelRecord = {
  channelId: 'NCH_01KD9H2R5W8Y1A4C7E0G3J6MKN',
  typeCode: 'WEBHOOK',
  name: 'Settlement service',
  mode: 'LIVE',
  eventTypes: transfers,
  config: { url: 'https://partner.example/hooks', timeoutSeconds: 10 },
  status: 'FAILING',
  createdAt: ago(90 * day),
  updatedAt: ago(20 * day),
  lastSuccessAt: ago(7 * minute),
  failingSince: ago(2 * minute),
  disabledReason: null,
};

/** Always the same, of every kind. */
const channels: ChannelRecord[] = [
  settlement,
  {
    ...settlement,
    channelId: 'NCH_01KF3N6P9S2V5X8Z1B4D7F0HJK',
    typeCode: 'EMAIL',
    name: 'Back office',
    eventTypes: ['file.quarantined', 'api-key.expiring'],
    config: { to: 'operations@partner.example' },
    status: 'ACTIVE',
    createdAt: ago(41 * day),
    lastSuccessAt: ago(3 * hour),
    failingSince: null,
  },
  {
    ...settlement,
    channelId: 'NCH_01KE7T0V3X6Z9B2D5F8H1K4MNP',
    typeCode: 'IN_APP',
    name: 'For everyone in the portal',
    eventTypes: [...transfers, 'file.quarantined', 'api-key.expiring', 'member.invited'],
    config: {},
    status: 'ACTIVE',
    createdAt: ago(12 * day),
    lastSuccessAt: ago(6 * minute),
    failingSince: null,
  },
  {
    ...settlement,
    channelId: 'NCH_01JX5B8D1F4H7K0M3P6R9T2VWX',
    name: 'Integration tests',
    mode: 'TEST',
    eventTypes: ['transfer.created', 'transfer.completed'],
    config: { url: 'https://tests.partner.example/hooks', timeoutSeconds: 10 },
    status: 'DISABLED',
    createdAt: ago(200 * day),
    lastSuccessAt: ago(40 * day),
    failingSince: null,
    disabledReason: 'GONE',
  },
];

const delivery = (number: number, more: Partial<DeliveryRecord>): DeliveryRecord => ({
  deliveryId: `DLV_${48_120 + number}`,
  eventId: `EVT_${90_417 + number * 3}`,
  eventType: 'transfer.completed',
  status: 'SUCCEEDED',
  attempts: 1,
  nextAttemptAt: null,
  responseStatus: 200,
  durationMs: 38 + number,
  responseBody: '{"received": true}',
  createdAt: ago((9 - number) * minute),
  updatedAt: ago((9 - number) * minute),
  ...more,
});

const deliveries: DeliveryRecord[] = [
  delivery(7, {
    status: 'PENDING',
    attempts: 2,
    nextAttemptAt: ago(-4 * minute),
    responseStatus: 503,
    durationMs: 1240,
    responseBody:
      '<html>\n<h1>503 Service Unavailable</h1>\nNo server is available to handle this request.\n</html>',
  }),
  delivery(3, { eventType: 'transfer.processing' }),
  delivery(2, { eventType: 'transfer.created' }),
  delivery(1, { eventType: 'ping', responseStatus: 204, responseBody: '', createdAt: ago(5 * hour) }),
  delivery(0, {
    eventType: 'transfer.failed',
    status: 'FAILED',
    attempts: 10,
    responseStatus: null,
    durationMs: 10_000,
    responseBody: 'the receiver did not answer in time',
    createdAt: ago(9 * day),
  }),
  delivery(-4, { status: 'CANCELLED', attempts: 3, responseStatus: 500, createdAt: ago(11 * day) }),
];

const notification = (
  number: number,
  eventType: EventType,
  seconds: number,
  data: NotificationRecord['data'],
  more: Partial<NotificationRecord> = {},
): NotificationRecord => ({
  eventId: `EVT_${90_400 - number}`,
  eventType,
  mode: 'LIVE',
  occurredAt: ago(seconds),
  data,
  isRead: true,
  ...more,
});

const notifications: NotificationRecord[] = [
  notification(
    0,
    'transfer.completed',
    6 * minute,
    { transferId: 'TRF_1', amount: '1250.00', currency: 'USD', reference: 'INV-2031' },
    { isRead: false },
  ),
  notification(
    1,
    'file.quarantined',
    2 * hour,
    { bizId: 'FILE_1', originalFilename: 'statement-2026-01.pdf' },
    { isRead: false },
  ),
  notification(2, 'api-key.expiring', 26 * hour, { apiKeyId: 'ak_1', name: 'Pilot' }),
  notification(3, 'transfer.failed', 2 * day, { transferId: 'TRF_2', amount: '99.90', currency: 'EUR' }),
  notification(4, 'member.invited', 3 * day, { email: 'new@partner.example' }, { mode: null }),
];

const pageOf = (content: unknown[]) => ({
  content,
  pageNumber: 0,
  pageSize: 20,
  totalElements: content.length,
  totalPages: 1,
});

/** By what an address ends with, before what it asks for. */
const answers: readonly [RegExp, unknown][] = [
  [/\/notification-channels$/, pageOf(channels)],
  ...channels.map((each): [RegExp, unknown] => [new RegExp(`/${each.channelId}$`), each]),
  [/\/deliveries$/, pageOf(deliveries)],
  [/\/notifications$/, pageOf(notifications)],
  [/\/notifications\/unread$/, { count: 2 }],
  [/\/notifications\/read$/, { count: 2 }],
];

/** The address of a channel that is shown in full. */
export const channelPath = `/channels?channel=${settlement.channelId}`;

/** The same in every picture: the service, which would deliver and forget them by its own clock, is not asked. */
export async function answerChannels(context: BrowserContext): Promise<void> {
  await context.route(/\/web\/v1\/workspaces\/[^/]+\/notification/, (route) => {
    const { pathname } = new URL(route.request().url());
    const [, data] = answers.find(([pattern]) => pattern.test(pathname)) ?? [];
    if (data === undefined) return route.continue();
    return route.fulfill({ json: { success: true, code: '2000', message: 'SUCCESS', data } });
  });
}
