import * as fc from 'fast-check';
import { anyText, json, mostly, objectText, queryValue, quoted, workspace } from './values.ts';

const url = mostly(
  quoted(['https://partner.example/hooks', 'https://8.8.8.8/']),
  fc.oneof(
    quoted([
      'https://127.1/',
      'https://a:b@c.example',
      'https://c.example:0',
      'https://c.example#',
      'http://[::1',
      'HTTPS://ⓒ.example',
    ]),
    json,
    anyText,
  ),
);
const config = mostly(
  objectText({
    url,
    timeoutSeconds: mostly(fc.constantFrom('1', '30'), json),
    signingSecret: mostly(quoted([`whsec_${'A'.repeat(32)}`]), anyText),
  }),
  json,
);
const eventTypes = mostly(
  fc.constantFrom('["transfer.created"]', '["member.added","file.created"]'),
  fc.oneof(
    fc.constantFrom('[]', '["ping"]', '["__proto__"]', '["transfer.created","transfer.created"]'),
    json,
  ),
);
const name = mostly(quoted(['x']), anyText);

/** Bodies about channels and notifications, by the names of their endpoints. */
export const channelBodies: Record<string, fc.Arbitrary<string>> = {
  createChannel: objectText({
    typeCode: mostly(quoted(['WEBHOOK']), quoted(['IN_APP', 'SMS', 'PUSH', 'toString', 'webhook'])),
    name,
    mode: mostly(fc.constantFrom('null', '1', '2'), json),
    eventTypes,
    config,
  }),
  changeChannel: objectText({ name, eventTypes, config }),
  redeliverFailed: objectText({ from: mostly(quoted(['2026-01-01T00:00:00Z']), anyText) }),
  readNotifications: objectText({ eventId: mostly(quoted(['EVT_1', 'EVT_999999999999999999']), anyText) }),
};

/** None that is there: each change of one would have to be told apart from those of others. */
const channelId = mostly(fc.constant('NCH_NOBODY'), queryValue);

const of = (weight: number, endpoint: string, method: string, path: string) => ({
  weight,
  arbitrary: fc.tuple(workspace, channelId).map(([place, id]) => ({
    name: endpoint,
    method,
    path: `/web/v1/workspaces/${place}${path.replace('{id}', () => id)}`,
  })),
});

const channels = '/notification-channels';

export const channelEndpoints = [
  of(4, 'createChannel', 'POST', channels),
  of(2, 'listChannels', 'GET', channels),
  of(1, 'getChannel', 'GET', `${channels}/{id}`),
  of(1, 'changeChannel', 'PATCH', `${channels}/{id}`),
  of(1, 'deleteChannel', 'DELETE', `${channels}/{id}`),
  of(1, 'moveChannel', 'POST', `${channels}/{id}/disable`),
  of(1, 'moveChannel', 'POST', `${channels}/{id}/rotate-secret`),
  of(1, 'listDeliveries', 'GET', `${channels}/{id}/deliveries`),
  of(1, 'redeliverFailed', 'POST', `${channels}/{id}/deliveries/redeliver-failed`),
  of(1, 'redeliver', 'POST', `${channels}/NCH_NOBODY/deliveries/{id}/redeliver`),
  of(1, 'listNotifications', 'GET', '/notifications'),
  of(1, 'readNotifications', 'POST', '/notifications/read'),
];
