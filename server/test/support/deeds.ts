import { Readable } from 'node:stream';
import { expect } from 'vitest';
import { type ImportName, imports } from '../../src/admin/import/imports.ts';
import { sql } from '../../src/db/sql.ts';
import { tellExpiring } from '../../src/resources/api-keys/expiring.ts';
import { scanNext } from '../../src/resources/files/upkeep.ts';
import { newChannel } from '../suites/command-targets.ts';
import { type Call, createKey, portalCall, tokenOf, type World } from '../world.ts';
import { addDeliveries, channelsUrl } from './deliveries.ts';
import { signedUpload, upload } from './files.ts';
import { waitingMails } from './mails.ts';
import { run } from './operator.ts';
import { accountUrl, addFactor, ownerId } from './own-account.ts';
import { invitationsUrl, membersUrl } from './people.ts';

/** Does all that can be done in one part of the service; gives what must stand nowhere afterwards. */
type Deeds = (world: World) => Promise<string[]>;

const slackSchema = {
  type: 'object',
  required: ['url'],
  properties: { url: { type: 'string', format: 'uri', writeOnly: true } },
};
const email = 'owner@demo.test';
const password = 'portico-demo';
const auth = '/web/v1/auth';

async function done(world: World, token: string | undefined, call: Call) {
  const response = await portalCall(world, token, call);
  expect([call.url, response.statusCode < 300]).toEqual([call.url, true]);
  return response.json().data;
}

const linkIn = (mail: unknown) =>
  JSON.stringify(mail ?? '')
    .split('#')[1]
    ?.slice(0, 43) ?? '';

const apiKeys: Deeds = async (world) => {
  const token = await tokenOf(world, ownerId);
  const keys = '/web/v1/workspaces/WS_DEMO/api-keys';
  const { apiKeyId, secret } = await done(world, token, {
    url: keys,
    body: { name: 'x', scopes: ['transfers:read'] },
  });
  const key = `${keys}/${apiKeyId}`;
  const rotated = await done(world, token, { url: `${key}/rotate`, body: { graceSeconds: 60 } });
  await done(world, token, { method: 'DELETE', url: `${key}/previous-secret` });
  await done(world, token, { method: 'PATCH', url: key, body: { name: 'y', ipWhitelist: ['203.0.113.7'] } });
  const expiresAt = new Date(world.clock.now() + 3_600_000).toISOString();
  await done(world, token, { method: 'PATCH', url: key, body: { expiresAt } });
  await tellExpiring(world.db, world.clock.now());
  for (const step of ['disable', 'enable', 'revoke']) await done(world, token, { url: `${key}/${step}` });
  return [token, secret, rotated.secret];
};

const files: Deeds = async (world) => {
  const token = await tokenOf(world, ownerId);
  const uploaded = async () => (await upload(world, token, 'a file')).json().data.bizId;
  const file = `/web/v1/files/${await uploaded()}`;
  for (const step of ['archive', 'restore']) await done(world, token, { url: `${file}/${step}` });
  await done(world, token, { method: 'DELETE', url: file });
  const key = await createKey(world, { scopes: ['files:write'] });
  expect((await signedUpload(world, key, Buffer.from('x'))).statusCode).toBe(201);
  for (const verdict of ['CLEAN', { found: 'Eicar' }] as const) {
    await world.db.query(
      sql`update files set status = 'PROCESSING', due_at = now() - interval '1 s' where biz_id = ${await uploaded()}`,
    );
    const scanning = { ...world.services.files, scan: async () => verdict };
    expect(await scanNext({ files: scanning, now: world.clock.now }, world.db)).toBe(true);
  }
  return [token, key.secret];
};

const signIns: Deeds = async (world) => {
  const logIn = () => done(world, undefined, { url: `${auth}/login`, body: { email, password } });
  const { accessToken, refreshToken } = await logIn();
  const wrong = { email, password: 'a wrong password' };
  expect((await portalCall(world, undefined, { url: `${auth}/login`, body: wrong })).statusCode).toBe(401);
  const renewed = await done(world, undefined, { url: `${auth}/refresh`, body: { refreshToken } });
  world.clock.advance(11);
  const again = await portalCall(world, undefined, { url: `${auth}/refresh`, body: { refreshToken } });
  expect(again.statusCode).toBe(401);
  const last = await logIn();
  const body = { refreshToken: last.refreshToken };
  await done(world, last.accessToken, { url: `${auth}/logout`, body });
  return [password, wrong.password, accessToken, refreshToken, renewed.refreshToken, last.refreshToken];
};

const devices: Deeds = async (world) => {
  const token = await tokenOf(world, ownerId);
  const codes: string[] = [];
  for (const decision of ['confirm', 'deny']) {
    const { deviceCode, userCode } = await done(world, undefined, { url: `${auth}/device`, body: {} });
    await done(world, token, { url: `${auth}/device/${decision}`, body: { userCode } });
    codes.push(deviceCode, userCode);
  }
  return codes;
};

const ownAccount: Deeds = async (world) => {
  const token = await tokenOf(world, ownerId);
  await done(world, token, { method: 'PATCH', url: accountUrl, body: { locale: 'zh-CN' } });
  const { secret, recoveryCodes } = await addFactor(world, token);
  const refused = { email, password, code: '12345' };
  expect((await portalCall(world, undefined, { url: `${auth}/login`, body: refused })).statusCode).toBe(401);
  const factor = `${accountUrl}/second-factor`;
  await done(world, token, { method: 'DELETE', url: factor, body: { code: recoveryCodes[0] } });
  const changed = { currentPassword: password, newPassword: 'a second password' };
  await done(world, token, { url: `${accountUrl}/password`, body: changed });
  return [secret, ...recoveryCodes, changed.newPassword];
};

const lostPassword: Deeds = async (world) => {
  await done(world, undefined, { url: `${auth}/password-reset`, body: { email } });
  const mailed = async () => (await waitingMails(world)).find(({ kind }) => kind === 'password-reset');
  await expect.poll(mailed).toBeDefined();
  const token = linkIn(await mailed());
  const body = { token, newPassword: 'a third password' };
  await done(world, undefined, { url: `${auth}/password-reset/confirm`, body });
  return [token, body.newPassword];
};

const members: Deeds = async (world) => {
  const owner = await tokenOf(world, ownerId);
  const invite = async (to: string) => {
    const body = { email: to, role: 'MEMBER' };
    const { invitationId } = await done(world, owner, { url: invitationsUrl, body });
    const token = linkIn((await waitingMails(world)).find((mail) => mail.to === to));
    return { invitationId, token };
  };
  const withdrawn = await invite('withdrawn@demo.test');
  await done(world, owner, { url: `${invitationsUrl}/${withdrawn.invitationId}/revoke` });
  const { token } = await invite('invited@demo.test');
  const body = { token, name: 'Ada Lovelace', password: 'a password of hers' };
  const { accountId, accessToken } = await done(world, undefined, {
    url: '/web/v1/invitations/accept',
    body,
  });
  const url = `${membersUrl}/${accountId}`;
  await done(world, owner, { method: 'PATCH', url, body: { role: 'VIEWER' } });
  await done(world, owner, { url: `${url}/sign-out` });
  await done(world, owner, { method: 'DELETE', url });
  return [withdrawn.token, token, body.password, accessToken];
};

const transfers: Deeds = async (world) => {
  const token = await tokenOf(world, ownerId);
  const url = '/web/v1/workspaces/WS_DEMO/transfers';
  const create = async () =>
    (await done(world, token, { url, body: { amount: '12.50', currency: 'USD', reference: 'x' } }))
      .transferId;
  await done(world, token, { url: `${url}/${await create()}/cancel` });
  for (const status of ['COMPLETED', 'FAILED']) {
    const id = await create();
    for (const to of ['PROCESSING', status])
      await run(world, 'setTransferStatus', { transfer: id, status: to });
  }
  return [token];
};

const channels: Deeds = async (world) => {
  const token = await tokenOf(world, ownerId);
  await run(world, 'enableChannelType', { type: 'SLACK' });
  const incoming = 'https://hooks.slack.com/services/T0/B0/a-hidden-place';
  const slack = { typeCode: 'SLACK', name: 'x', eventTypes: ['transfer.failed'], config: { url: incoming } };
  await done(world, token, { url: channelsUrl, body: slack });
  await run(world, 'configureChannelType', { type: 'SLACK', schema: JSON.stringify(slackSchema) });
  await run(world, 'disableChannelType', { type: 'SLACK' });
  const { secret, channelId } = await done(world, token, { url: channelsUrl, body: newChannel });
  const url = `${channelsUrl}/${channelId}`;
  const signingSecret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const config = { ...newChannel.config, signingSecret };
  await done(world, token, { method: 'PATCH', url, body: { name: 'y', config } });
  const rotated = await done(world, token, { url: `${url}/rotate-secret` });
  await done(world, token, { url: `${url}/test` });
  for (const step of ['disable', 'enable']) await done(world, token, { url: `${url}/${step}` });
  const [deliveryId] = await addDeliveries(world, channelId);
  await done(world, token, { url: `${url}/deliveries/${deliveryId}/redeliver` });
  await done(world, token, { method: 'DELETE', url });
  return [incoming, secret, signingSecret, rotated.secret];
};

async function bringIn(world: World, name: ImportName, line: object): Promise<void> {
  const desk = { db: world.db, now: world.clock.now, operator: { user: 'root' } };
  const source = Readable.from([Buffer.from(JSON.stringify(line))]);
  const listener = { refused: () => {}, progress: () => {} };
  const { added } = await imports[name]({ workspace: 'WS_DEED' })(desk, source, listener);
  expect([name, added]).toEqual([name, 1]);
}

const operators: Deeds = async (world) => {
  const [institution, workspace, account] = ['INST_DEED', 'WS_DEED', 'deed@acme.test'];
  await run(world, 'addInstitution', { institution, name: 'x' });
  await run(world, 'renameInstitution', { institution, name: 'y' });
  await run(world, 'addWorkspace', { workspace, institution, name: 'x' });
  await run(world, 'renameWorkspace', { workspace, name: 'y' });
  const [status, createdAt, text] = ['COMPLETED', '2024-01-01T00:00:00Z', 'x'];
  await bringIn(world, 'transfers', {
    transferId: 'DEED',
    amount: '1.00',
    currency: 'USD',
    status,
    createdAt,
  });
  const names = { bucket: text, objectKey: text, originalFilename: text, contentType: text, etag: text };
  const codes = { fileCategory: 'OTHER', fileStatus: 'ACTIVE', fileSize: 1 };
  await bringIn(world, 'files', { bizId: 'DEED', ...names, ...codes, createdAt, createdBy: text });
  const invited = await run(world, 'inviteMember', { workspace, email: 'i@acme.test', role: 'OWNER' });
  const first = linkIn((await run(world, 'addAccount', { email: account, name: 'x' }))['url']);
  const body = { token: first, newPassword: 'a fourth password' };
  await done(world, undefined, { url: `${auth}/password-reset/confirm`, body });
  const second = linkIn((await run(world, 'resetPassword', { account }))['url']);
  const outside = { account, issuer: 'https://id.acme.test', subject: '1' };
  await run(world, 'bindAccount', outside);
  await run(world, 'removePassword', { account });
  await run(world, 'unbindAccount', outside);
  await run(world, 'disableAccount', { account });
  await run(world, 'enableAccount', { account });
  await run(world, 'grantOperator', { account });
  await run(world, 'revokeOperator', { account });
  await run(world, 'rotateSigningKey');
  await run(world, 'discardMails');
  return [linkIn(invited['url']), first, second, body.newPassword];
};

/** In this order: the last ones change the password, and throw mails away. */
export const everythingDone: Deeds[] = [
  apiKeys,
  files,
  members,
  transfers,
  channels,
  signIns,
  devices,
  ownAccount,
  lostPassword,
  operators,
];
