import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dummyTurnstile } from '../../server/test/world.ts';
import { ConflictError, NotFoundError, PorticoPortal, type Tokens } from '../src/portal/index.ts';
import { openLoopback, openService, type Service } from './service.ts';

const owner = { email: 'owner@demo.test', password: 'portico-demo' };
const turnstileToken = dummyTurnstile;
const workspace = 'WS_DEMO';

let service: Service;
let tokens: Tokens;
let portal: PorticoPortal;
beforeAll(async () => {
  service = await openService();
  const visitor = new PorticoPortal({ baseUrl: service.url, turnstileToken });
  tokens = await visitor.login(owner);
  portal = new PorticoPortal({
    baseUrl: service.url,
    turnstileToken: async () => turnstileToken,
    accessToken: () => tokens.accessToken,
  });
});
afterAll(() => service.close());

describe('sign-in', () => {
  it('changes a password into tokens, renews them and ends them', async () => {
    expect(tokens).toMatchObject({ tokenType: 'Bearer', expiresIn: 900 });
    const { refreshToken = '' } = await portal.login(owner);
    const renewed = await portal.refresh({ refreshToken });
    expect(renewed.refreshToken).not.toBe(refreshToken);
    expect(await portal.logout({ refreshToken: renewed.refreshToken ?? '' })).toBeUndefined();
    await expect(portal.refresh({ refreshToken: renewed.refreshToken ?? '' })).rejects.toThrow(
      'refresh token',
    );
  });

  it('ends every session of an account at once', async () => {
    const visitor = new PorticoPortal({ baseUrl: service.url, turnstileToken });
    const viewer = { ...owner, email: 'viewer@demo.test' };
    const [first, second] = [await visitor.login(viewer), await visitor.login(viewer)];
    const { accessToken } = first;
    const client = new PorticoPortal({ baseUrl: service.url, accessToken });
    expect(await client.logoutEverywhere()).toBeUndefined();
    for (const { refreshToken = '' } of [first, second])
      await expect(visitor.refresh({ refreshToken })).rejects.toMatchObject({ code: '4010' });
  });

  it('keeps the refresh token out of the answer in a cookie session', async () => {
    const { refreshToken } = await portal.login({ ...owner, session: 'cookie' });
    expect(refreshToken).toBeUndefined();
    await expect(portal.refresh()).rejects.toMatchObject({ status: 401, code: '4010' });
    await expect(portal.logout()).rejects.toMatchObject({ fields: [{ field: 'refreshToken' }] });
  });

  it('takes the token as a text, too, and shows who it belongs to', async () => {
    const { accessToken } = tokens;
    const { account, workspaces } = await new PorticoPortal({ baseUrl: service.url, accessToken }).me();
    expect(account.email).toBe(owner.email);
    expect(workspaces).toContainEqual(expect.objectContaining({ bizId: workspace, role: 'OWNER' }));
  });

  it('shows what a page needs before, and the errors after', async () => {
    const visitor = new PorticoPortal({ baseUrl: `${service.url}/` });
    expect(await visitor.signInConfig()).toEqual({
      turnstileSiteKey: expect.any(String),
      portal: 'PARTNER',
      openIdConnect: null,
      demo: { accounts: expect.arrayContaining(['owner@demo.test']), password: 'portico-demo' },
      hasPasswordReset: false,
    });
    expect(visitor.openIdConnectUrl()).toBe(`${service.url}/web/v1/auth/oidc/start`);
    expect(visitor.openIdConnectUrl('/files?page=2')).toMatch(/\/start\?returnTo=%2Ffiles%3Fpage%3D2$/);
    expect(await portal.errors()).toContainEqual(
      expect.objectContaining({ code: 'VALIDATION.INVALID_PARAMETER', alias: 'S012', httpStatus: 400 }),
    );
  });

  it('sends each token only where it is asked for', async () => {
    const loopback = await openLoopback((_request, response) =>
      response.end('{"code":"2000","message":"SUCCESS","data":{}}'),
    );
    const other = new PorticoPortal({ baseUrl: loopback.url, accessToken: 'jwt', turnstileToken: 'solved' });
    await other.login(owner);
    await other.refresh();
    await other.me();
    await other.queryChannelTypes();
    const sent = loopback.requests.map(({ headers }) => [
      headers.authorization,
      headers['x-turnstile-token'],
    ]);
    expect(sent).toEqual([
      [undefined, 'solved'],
      [undefined, undefined],
      ['Bearer jwt', undefined],
      ['Bearer jwt', 'solved'],
    ]);
    await loopback.close();
  });
});

describe('lists', () => {
  it('files of an institution, by filter and page', async () => {
    const filters = { institutionBizId: 'INST_DEMO', fileStatus: 1 };
    const files = await portal.listFiles(filters, { size: 3, page: 1, sort: 'fileSize,asc' });
    expect(files).toMatchObject({ size: 3, number: 1 });
    const sizes = files.content.map(({ fileSize }) => fileSize);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect((await portal.listFiles({ institutionBizId: 'INST_DEMO' })).totalElements).toBe(250);
  });

  it('channel types', async () => {
    expect((await portal.queryChannelTypes()).totalElements).toBe(13);
    const { content } = await portal.queryChannelTypes({ typeStatus: 'ENABLED' }, { size: 1, page: 3 });
    expect(content.map(({ typeCode }) => typeCode)).toEqual(['WEBHOOK']);
  });
});

describe('the transfers of a workspace', () => {
  it('are listed by mode, filter and page', async () => {
    expect((await portal.listWorkspaceTransfers(workspace)).page.totalElements).toBe(240);
    const { content, page } = await portal.listWorkspaceTransfers(
      workspace,
      { mode: 'TEST', status: 'COMPLETED' },
      { size: 5, sort: 'amount,asc' },
    );
    expect(page.size).toBe(5);
    expect(content.map(({ status }) => status)).toEqual(Array(5).fill('COMPLETED'));
    const amounts = content.map(({ amount }) => Number(amount));
    expect(amounts).toEqual(amounts.toSorted((a, b) => a - b));
  });
});

describe('an API key', () => {
  const create = (name: string) =>
    portal.createApiKey(workspace, { name, scopes: ['transfers:read'], mode: 2 });

  it('is created, listed, shown and changed', async () => {
    const { apiKeyId, secret } = await create('Zoë’s key');
    expect(secret).toMatch(/^sk_test_/);
    const page = await portal.listApiKeys(
      workspace,
      { status: 'ACTIVE', mode: 'TEST' },
      { sort: 'createdAt,desc' },
    );
    expect(page.content.map((key) => key.apiKeyId)).toContain(apiKeyId);
    expect((await portal.listApiKeys(workspace)).totalElements).toBeGreaterThan(0);
    expect(await portal.getApiKey(workspace, apiKeyId)).toMatchObject({ name: 'Zoë’s key', expiresAt: null });
    const changed = await portal.changeApiKey(workspace, apiKeyId, { name: 'Another', scopes: [] });
    expect(changed).toMatchObject({ name: 'Another', scopes: [] });
    expect(changed).not.toHaveProperty('secret');
  });

  it('is disabled, enabled and revoked', async () => {
    const { apiKeyId } = await create('life');
    expect((await portal.disableApiKey(workspace, apiKeyId)).status).toBe('DISABLED');
    expect((await portal.enableApiKey(workspace, apiKeyId)).status).toBe('ACTIVE');
    expect((await portal.revokeApiKey(workspace, apiKeyId)).status).toBe('REVOKED');
    await expect(portal.enableApiKey(workspace, apiKeyId)).rejects.toThrow(ConflictError);
  });

  it('is rotated, with a grace that can be closed', async () => {
    const { apiKeyId, secret } = await create('rotation');
    const rotated = await portal.rotateApiKey(workspace, apiKeyId, { graceSeconds: 600 });
    expect(rotated.secret).not.toBe(secret);
    await expect(portal.rotateApiKey(workspace, apiKeyId)).rejects.toMatchObject({ code: '4092' });
    const { previousSecretExpiresAt, secretVersion } = await portal.endPreviousSecret(workspace, apiKeyId);
    expect([previousSecretExpiresAt, secretVersion]).toEqual([null, 2]);
  });

  it('is simulated', async () => {
    const { apiKeyId } = await create('simulation');
    const request = { method: 'GET', path: '/api/v1/files', ip: '203.0.113.7' };
    const { allowed, code, steps } = await portal.simulateApiKey(workspace, apiKeyId, request);
    expect([allowed, code]).toEqual([false, '4031']);
    expect(steps.map(({ step }) => step)).toEqual(['route', 'status', 'ip', 'scope']);
  });

  it('is named by an identifier that cannot lead to another endpoint', async () => {
    expect(() => portal.getApiKey(workspace, '..')).toThrow(TypeError);
    expect(() => portal.getApiKey('', 'ak_x')).toThrow(TypeError);
    await expect(portal.getApiKey(workspace, '../../x?y#z')).rejects.toThrow(NotFoundError);
  });
});
