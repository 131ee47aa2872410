import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorld, portalCall, signIn, type World } from './world.ts';

let world: World;
let token: string;
beforeAll(async () => {
  world = await openWorld();
  token = await signIn(world);
});
afterAll(() => world.close());

const files = '/web/v1/files/query/list';
const keys = '/web/v1/workspaces/WS_DEMO/api-keys';
const problem = { accept: 'application/problem+json' };

const listFiles = (query: string, body: object = {}) =>
  portalCall(world, token, {
    url: `${files}?${query}`,
    body: { institutionBizId: 'INST_DEMO', ...body },
    headers: problem,
  });

describe('what is wrong with a page is told all at once', () => {
  it('page, size and sort, each by its name', async () => {
    const answer = (await listFiles('page=-1&size=many&sort=nothing,asc')).json();
    const expected = [
      { field: 'page', message: 'must be 0 or greater' },
      { field: 'size', message: 'must be an integer' },
      { field: 'sort', message: expect.stringMatching(/^field must be one of createdAt, /) },
    ];
    expect([answer.code, answer.errors]).toEqual(['VALIDATION.INVALID_PARAMETER', expected]);
    expect(answer.message).toMatch(
      /^page must be 0 or greater; size must be an integer; sort field must be one of createdAt, /,
    );
  });

  it('several wrong sorts, the same mistake once', async () => {
    const { errors } = (await listFiles('sort=a,asc&sort=b,asc&sort=c&sort=createdAt,desc&size=0')).json();
    expect(
      errors.map(({ field, message }: { field: string; message: string }) => `${field} ${message}`),
    ).toEqual([
      'size must be 1 or greater',
      expect.stringMatching(/^sort field must be one of/),
      'sort must have the form field,direction with direction asc or desc',
    ]);
  });

  it('before what is wrong with the filters', async () => {
    const answer = (await listFiles('page=x&size=y', { fileCategory: 77 })).json();
    expect(answer.errors.map(({ field }: { field: string }) => field)).toEqual(['page', 'size']);
  });
});

describe('codes in messages come with what they stand for', () => {
  const modes = '1 (LIVE), 2 (TEST)';

  it.each([
    [3, `mode must be one of ${modes}`],
    ['TEST', `mode must be an integer, one of ${modes}`],
  ])('the mode of a new key: %s', async (mode, message) => {
    const answer = await portalCall(world, token, { url: keys, body: { name: 'n', mode } });
    expect([answer.statusCode, answer.json().message]).toEqual([400, message]);
  });

  it('the mode that keys are listed by', async () => {
    const answer = await portalCall(world, token, { method: 'GET', url: `${keys}?mode=3` });
    expect(answer.json().message).toBe(`mode must be one of ${modes}, LIVE, TEST`);
  });

  it('category and status of files', async () => {
    const { message } = (await listFiles('', { fileCategory: 0, fileStatus: 'ACTIVE' })).json();
    expect(message).toMatch(/^fileCategory must be one of 1 \(IDENTITY_DOCUMENT\), .*, 99 \(OTHER\); /);
    expect(message).toMatch(/; fileStatus must be an integer, one of 1 \(ACTIVE\), .*, 7 \(REJECTED\)$/);
  });
});
