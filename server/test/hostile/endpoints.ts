import * as fc from 'fast-check';
import { channelEndpoints } from './channels.ts';
import { memberId } from './people.ts';
import { transferEndpoints } from './transfers.ts';
import { queryValue, workspace } from './values.ts';

export type Endpoint = { name: string; method: string; path: string };

/** Placeholder for the id of a key that nobody signs with; the sender knows it. */
export const spareKey = 'ak_spare';

const fixed = (name: string, method: string, path: string) => ({
  weight: 3,
  arbitrary: fc.constant<Endpoint>({ name, method, path }),
});

const keyId = fc.oneof({ weight: 5, arbitrary: fc.constant(spareKey) }, { weight: 1, arbitrary: queryValue });

const ofKey = (name: string, method: string, path: string) => ({
  weight: 2,
  arbitrary: fc.tuple(workspace, keyId).map(([id, key]) => ({
    name,
    method,
    path: `/web/v1/workspaces/${id}/api-keys${path.replace('{key}', () => key)}`,
  })),
});

const ofWorkspace = (name: string, method: string, path: string) => ({
  arbitrary: workspace.map((id) => ({ name, method, path: `/web/v1/workspaces/${id}${path}` })),
});

const ofMember = (name: string, method: string) => ({
  weight: 2,
  arbitrary: fc
    .tuple(workspace, memberId)
    .map(([id, member]) => ({ name, method, path: `/web/v1/workspaces/${id}/members/${member}` })),
});

export const endpoint: fc.Arbitrary<Endpoint> = fc.oneof(
  { ...fixed('login', 'POST', '/web/v1/auth/login'), weight: 2 },
  fixed('refresh', 'POST', '/web/v1/auth/refresh'),
  fixed('logout', 'POST', '/web/v1/auth/logout'),
  { ...fixed('logoutEverywhere', 'POST', '/web/v1/auth/logout-everywhere'), weight: 1 },
  fixed('device', 'POST', '/web/v1/auth/device'),
  { ...fixed('deviceToken', 'POST', '/web/v1/auth/device/token'), weight: 1 },
  { ...fixed('ofUserCode', 'POST', '/web/v1/auth/device/lookup'), weight: 1 },
  { ...fixed('ofUserCode', 'POST', '/web/v1/auth/device/confirm'), weight: 1 },
  { ...fixed('ofUserCode', 'POST', '/web/v1/auth/device/deny'), weight: 1 },
  { ...fixed('me', 'GET', '/web/v1/auth/me'), weight: 1 },
  { ...fixed('requestReset', 'POST', '/web/v1/auth/password-reset'), weight: 1 },
  { ...fixed('confirmReset', 'POST', '/web/v1/auth/password-reset/confirm'), weight: 1 },
  { ...fixed('account', 'GET', '/web/v1/account'), weight: 1 },
  { ...fixed('changeAccount', 'PATCH', '/web/v1/account'), weight: 1 },
  { ...fixed('changePassword', 'POST', '/web/v1/account/password'), weight: 1 },
  { ...fixed('listSessions', 'GET', '/web/v1/account/sessions'), weight: 1 },
  { ...fixed('addFactor', 'POST', '/web/v1/account/second-factor'), weight: 1 },
  { ...fixed('ofCode', 'POST', '/web/v1/account/second-factor/confirm'), weight: 1 },
  { ...fixed('ofCode', 'DELETE', '/web/v1/account/second-factor'), weight: 1 },
  {
    weight: 1,
    arbitrary: queryValue.map((id) => ({
      name: 'endSession',
      method: 'DELETE',
      path: `/web/v1/account/sessions/${id}`,
    })),
  },
  { ...fixed('config', 'GET', '/web/v1/auth/config'), weight: 1 },
  { ...fixed('oidc', 'GET', '/web/v1/auth/oidc/start'), weight: 1 },
  { ...fixed('oidc', 'GET', '/web/v1/auth/oidc/callback'), weight: 1 },
  { ...fixed('errors', 'GET', '/web/v1/errors'), weight: 1 },
  { ...fixed('files', 'POST', '/web/v1/files/query/list'), weight: 6 },
  { ...fixed('channelTypes', 'POST', '/web/v1/notification-channel-types/query'), weight: 4 },
  { ...fixed('transfers', 'GET', '/api/v1/transfers'), weight: 5 },
  { ...fixed('signed', 'GET', '/api/v1/files'), weight: 2 },
  { ...fixed('signed', 'GET', '/api/v1/channel-types'), weight: 1 },
  { ...fixed('signed', 'GET', '/api/v1/events'), weight: 3 },
  { ...fixed('signed', 'GET', '/api/v1/whoami'), weight: 1 },
  ofKey('listKeys', 'GET', ''),
  ofKey('getKey', 'GET', '/{key}'),
  ofKey('changeKey', 'PATCH', '/{key}'),
  ofKey('simulate', 'POST', '/{key}/simulate'),
  ofKey('moveKey', 'POST', '/{key}/disable'),
  ofKey('moveKey', 'POST', '/{key}/enable'),
  ofKey('moveKey', 'DELETE', '/{key}/previous-secret'),
  { ...ofWorkspace('workspaceTransfers', 'GET', '/transfers'), weight: 3 },
  ...transferEndpoints,
  ...channelEndpoints,
  { ...ofWorkspace('overview', 'GET', '/overview'), weight: 2 },
  { ...ofWorkspace('listMembers', 'GET', '/members'), weight: 2 },
  ofMember('changeMember', 'PATCH'),
  ofMember('removeMember', 'DELETE'),
  { ...ofWorkspace('listInvitations', 'GET', '/invitations'), weight: 2 },
  { ...ofWorkspace('createInvitation', 'POST', '/invitations'), weight: 4 },
  { ...ofWorkspace('revokeInvitation', 'POST', '/invitations/INV_NOBODY/revoke'), weight: 1 },
  { ...fixed('lookupInvitation', 'POST', '/web/v1/invitations/lookup'), weight: 2 },
  { ...fixed('acceptInvitation', 'POST', '/web/v1/invitations/accept'), weight: 3 },
  fixed('acceptElsewhere', 'POST', '/web/v1/auth/oidc/start'),
  { ...ofWorkspace('createKey', 'POST', '/api-keys'), weight: 8 },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('web', 'api'), fc.array(queryValue, { maxLength: 4 }))
      .map(([chain, parts]) => ({ name: 'nothing', method: 'GET', path: `/${chain}/${parts.join('/')}` })),
  },
);
