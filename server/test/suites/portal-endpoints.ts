import { channelsUrl, redelivery } from '../support/deliveries.ts';
import { formHeaders, upload, uploadForm } from '../support/files.ts';
import { makeOperator } from '../support/operators.ts';
import { accountUrl, ownCommands } from '../support/own-account.ts';
import { invitationsUrl, membersUrl } from '../support/people.ts';
import { insertKeys, requestKeys, rowOf, writeRows } from '../support/request-rows.ts';
import { type Call, portalCall, startDevice, type World } from '../world.ts';
import { type CommandTarget, channel, invitation, member, newChannel, transfer } from './command-targets.ts';
import type { PortalEndpoint } from './portal-endpoint.ts';

const portalEndpoints: PortalEndpoint[] = [
  {
    name: 'POST /web/v1/files/query/list',
    call: { url: '/web/v1/files/query/list', body: { institutionBizId: 'INST_DEMO' } },
    enableTurnstile: true,
  },
  {
    name: 'POST /web/v1/workspaces/{workspaceId}/api-keys',
    call: { url: '/web/v1/workspaces/WS_DEMO/api-keys', body: { name: 'x' } },
    enableTurnstile: false,
  },
  {
    name: 'POST /web/v1/notification-channel-types/query',
    call: { url: '/web/v1/notification-channel-types/query', body: {} },
    enableTurnstile: true,
  },
  {
    name: 'GET /web/v1/notification-channel-types/{typeCode}',
    call: { method: 'GET', url: '/web/v1/notification-channel-types/EMAIL' },
    enableTurnstile: false,
  },
  { name: 'GET /web/v1/errors', call: { method: 'GET', url: '/web/v1/errors' }, enableTurnstile: false },
  { name: 'GET /web/v1/auth/me', call: { method: 'GET', url: '/web/v1/auth/me' }, enableTurnstile: false },
  {
    name: 'POST /web/v1/auth/logout',
    call: { url: '/web/v1/auth/logout', body: { refreshToken: 'rt_unknown' } },
    enableTurnstile: false,
  },
  {
    name: 'POST /web/v1/auth/logout-everywhere',
    call: { url: '/web/v1/auth/logout-everywhere' },
    enableTurnstile: false,
  },
  {
    name: 'GET /web/v1/workspaces/{workspaceId}/transfers',
    call: { method: 'GET', url: '/web/v1/workspaces/WS_DEMO/transfers' },
    enableTurnstile: false,
  },
  {
    name: 'GET /web/v1/workspaces/{workspaceId}/requests',
    call: { method: 'GET', url: '/web/v1/workspaces/WS_DEMO/requests' },
    enableTurnstile: false,
  },
  {
    name: 'GET /web/v1/workspaces/{workspaceId}/requests/{requestId}',
    call: { method: 'GET', url: '/web/v1/workspaces/WS_DEMO/requests/none' },
    enableTurnstile: false,
    async prepare(world) {
      await insertKeys(world.db);
      const atMs = world.clock.now();
      await writeRows(world.db, [rowOf({ apiKeyId: requestKeys.live, requestId: 'shown', atMs })]);
      return { method: 'GET', url: '/web/v1/workspaces/WS_DEMO/requests/shown' };
    },
  },
  {
    name: 'GET /web/v1/workspaces/{workspaceId}/overview',
    call: { method: 'GET', url: '/web/v1/workspaces/WS_DEMO/overview' },
    enableTurnstile: false,
  },
  {
    name: 'GET /web/v1/workspaces/{workspaceId}/audit-log',
    call: { method: 'GET', url: '/web/v1/workspaces/WS_DEMO/audit-log' },
    enableTurnstile: false,
  },
  {
    name: 'GET /web/v1/workspaces/{workspaceId}/audit-log/{sequence}',
    call: { method: 'GET', url: '/web/v1/workspaces/WS_DEMO/audit-log/1' },
    enableTurnstile: false,
  },
];

const keysUrl = '/web/v1/workspaces/WS_DEMO/api-keys';

/** An endpoint of one key, tried on a new key each time, after what has to come before. */
function ofKey(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
  before?: string,
): PortalEndpoint {
  const callOf = (apiKeyId: string): Call => ({
    method,
    url: `${keysUrl}/${apiKeyId}${path}`,
    ...(body === undefined ? {} : { body }),
  });
  return {
    name: `${method} /web/v1/workspaces/{workspaceId}/api-keys/{apiKeyId}${path}`,
    call: callOf('ak_live_00000000000000000000000000'),
    enableTurnstile: false,
    async prepare(world, token) {
      const created = await portalCall(world, token, { url: keysUrl, body: { name: 'x' } });
      const { apiKeyId } = created.json().data;
      if (before !== undefined) await portalCall(world, token, { url: `${keysUrl}/${apiKeyId}${before}` });
      return callOf(apiKeyId);
    },
  };
}

const keyEndpoints: PortalEndpoint[] = [
  {
    name: 'GET /web/v1/workspaces/{workspaceId}/api-keys',
    call: { method: 'GET', url: keysUrl },
    enableTurnstile: false,
  },
  ofKey('GET', ''),
  ofKey('PATCH', '', { name: 'y' }),
  ofKey('POST', '/disable'),
  ofKey('POST', '/enable', undefined, '/disable'),
  ofKey('POST', '/revoke'),
  ofKey('POST', '/rotate'),
  ofKey('POST', '/simulate', { method: 'GET', path: '/api/v1/transfers', ip: '203.0.113.7' }),
  ofKey('DELETE', '/previous-secret', undefined, '/rotate'),
];

/** An endpoint of one code, tried on a new one each time. */
const ofDevice = (name: string): PortalEndpoint => ({
  name: `POST /web/v1/auth/device/${name}`,
  call: { url: `/web/v1/auth/device/${name}`, body: { userCode: 'BCDF-GHJK' } },
  enableTurnstile: false,
  prepare: async (world) => ({ url: `/web/v1/auth/device/${name}`, body: await startDevice(world) }),
});

const deviceEndpoints = ['lookup', 'confirm', 'deny'].map(ofDevice);

/** An endpoint of the own account, after what has to come before. */
const ofAccount = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
  before?: keyof typeof ownCommands,
): PortalEndpoint => {
  const call: Call = { method, url: `${accountUrl}${path}`, ...(body === undefined ? {} : { body }) };
  const prepare = before === undefined ? undefined : ownCommands[before];
  return {
    name: `${method} ${accountUrl}${path.replace(/\/sessions\/.*/, '/sessions/{sessionId}')}`,
    call,
    enableTurnstile: false,
    ...(prepare && { prepare: async (world: World) => ({ ...call, ...(await prepare(world)) }) }),
  };
};

const passwords = { currentPassword: 'portico-demo', newPassword: 'another password' };
const accountEndpoints = [
  ofAccount('GET', ''),
  ofAccount('PATCH', '', { name: 'x' }),
  ofAccount('POST', '/password', passwords, 'changePassword'),
  ofAccount('GET', '/sessions'),
  ofAccount('DELETE', '/sessions/x', undefined, 'endSession'),
  ofAccount('POST', '/second-factor', undefined, 'addSecondFactor'),
  ofAccount('POST', '/second-factor/confirm', { code: '000000' }, 'confirmSecondFactor'),
  ofAccount('DELETE', '/second-factor', { code: '000000' }, 'removeSecondFactor'),
];

/** An endpoint of one member, invitation or transfer, tried on a new one each time. */
function ofTarget(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  folder: string,
  { name, nowhere, make }: CommandTarget,
  path: string,
  body?: object,
): PortalEndpoint {
  const callOf = (id: string): Call => ({
    method,
    url: `/web/v1/workspaces/WS_DEMO/${folder}/${id}${path}`,
    ...(body === undefined ? {} : { body }),
  });
  return {
    name: `${method} /web/v1/workspaces/{workspaceId}/${folder}/{${name}}${path}`,
    call: callOf(nowhere),
    enableTurnstile: false,
    prepare: async (world, token) => callOf(await make(world, token)),
  };
}

const peopleEndpoints: PortalEndpoint[] = [
  {
    name: 'GET /web/v1/workspaces/{workspaceId}/members',
    call: { method: 'GET', url: membersUrl },
    enableTurnstile: false,
  },
  ofTarget('PATCH', 'members', member, '', { role: 'MEMBER' }),
  ofTarget('DELETE', 'members', member, ''),
  ofTarget('POST', 'members', member, '/sign-out'),
  {
    name: 'GET /web/v1/workspaces/{workspaceId}/invitations',
    call: { method: 'GET', url: invitationsUrl },
    enableTurnstile: false,
  },
  {
    name: 'POST /web/v1/workspaces/{workspaceId}/invitations',
    call: { url: invitationsUrl, body: { email: 'colleague@example.com', role: 'MEMBER' } },
    enableTurnstile: false,
  },
  ofTarget('POST', 'invitations', invitation, '/revoke'),
];

/** An endpoint of one file, tried on a new one each time, after what has to come before. */
const ofFile = (method: 'GET' | 'POST' | 'DELETE', path: string, before?: string): PortalEndpoint => {
  const callOf = (bizId: string): Call => ({ method, url: `/web/v1/files/${bizId}${path}` });
  return {
    name: `${method} /web/v1/files/{bizId}${path}`,
    call: callOf('FILE_0000000001'),
    enableTurnstile: false,
    async prepare(world, token) {
      const { bizId } = (await upload(world, token, 'x')).json().data;
      if (before !== undefined) await portalCall(world, token, { url: `/web/v1/files/${bizId}${before}` });
      return callOf(bizId);
    },
  };
};

const fileEndpoints: PortalEndpoint[] = [
  {
    name: 'POST /web/v1/files',
    call: { url: '/web/v1/files', body: uploadForm('x'), headers: formHeaders },
    enableTurnstile: false,
    takesBytes: true,
  },
  ofFile('GET', ''),
  ofFile('GET', '/content'),
  ofFile('POST', '/archive'),
  ofFile('POST', '/restore', '/archive'),
  ofFile('DELETE', ''),
];

export const money = { amount: '12.50', currency: 'USD' };
const moveOf = (id: string): Call => ({
  url: `/web/v1/admin/transfers/${id}/status`,
  body: { status: 'PROCESSING' },
});
const transferEndpoints: PortalEndpoint[] = [
  {
    name: 'POST /web/v1/workspaces/{workspaceId}/transfers',
    call: { url: '/web/v1/workspaces/WS_DEMO/transfers', body: money },
    enableTurnstile: false,
  },
  ofTarget('GET', 'transfers', transfer, ''),
  ofTarget('POST', 'transfers', transfer, '/cancel'),
];
/** Of the portal of operators alone. */
export const platformEndpoints: PortalEndpoint[] = [
  {
    name: 'POST /web/v1/admin/transfers/{transferId}/status',
    call: moveOf(transfer.nowhere),
    enableTurnstile: false,
    async prepare(world, token) {
      await makeOperator(world);
      return moveOf(await transfer.make(world, token));
    },
  },
];

const ofChannel = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  ofTarget(method, 'notification-channels', channel, path, body);
const ofNotifications = (method: 'GET' | 'POST', path: string, body?: object): PortalEndpoint => ({
  name: `${method} /web/v1/workspaces/{workspaceId}/notifications${path}`,
  call: {
    method,
    url: `/web/v1/workspaces/WS_DEMO/notifications${path}`,
    ...(body === undefined ? {} : { body }),
  },
  enableTurnstile: false,
});

const channelEndpoints: PortalEndpoint[] = [
  {
    name: 'GET /web/v1/workspaces/{workspaceId}/notification-channels',
    call: { method: 'GET', url: channelsUrl },
    enableTurnstile: false,
  },
  {
    name: 'POST /web/v1/workspaces/{workspaceId}/notification-channels',
    call: { url: channelsUrl, body: newChannel },
    enableTurnstile: false,
  },
  ofChannel('GET', ''),
  ofChannel('PATCH', '', { name: 'y' }),
  ofChannel('DELETE', ''),
  ofChannel('POST', '/disable'),
  {
    ...ofChannel('POST', '/enable'),
    async prepare(world, token) {
      const url = `${channelsUrl}/${await channel.make(world, token)}`;
      await portalCall(world, token, { url: `${url}/disable` });
      return { url: `${url}/enable` };
    },
  },
  ofChannel('POST', '/test'),
  ofChannel('POST', '/rotate-secret'),
  ofChannel('GET', '/deliveries'),
  ofChannel('POST', '/deliveries/redeliver-failed', { from: '2026-01-01T00:00:00Z' }),
  {
    name: 'POST /web/v1/workspaces/{workspaceId}/notification-channels/{channelId}/deliveries/{deliveryId}/redeliver',
    call: { url: `${channelsUrl}/${channel.nowhere}/deliveries/DLV_1/redeliver` },
    enableTurnstile: false,
    prepare: redelivery,
  },
  ofNotifications('GET', ''),
  ofNotifications('GET', '/unread'),
  ofNotifications('POST', '/read', { eventId: 'EVT_1' }),
];

/** Every endpoint that wants a token. */
export const withToken = [
  ...portalEndpoints,
  ...keyEndpoints,
  ...deviceEndpoints,
  ...accountEndpoints,
  ...peopleEndpoints,
  ...fileEndpoints,
  ...transferEndpoints,
  ...channelEndpoints,
];
