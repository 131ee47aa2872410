import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, listenOnLoopback } from '../../server/test/support/loopback.ts';
import { envelope } from './answers.ts';
import { openSite, Person, type Site } from './harness.ts';

let site: Site;
let person: Person;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.world.close());
beforeEach(() => {
  person = new Person();
});
afterEach(() => person.remove());

type Stored = { url: string; apiKeyId?: string; secret?: string; tokens?: object };
const stored = (): Stored => JSON.parse(readFileSync(person.profilePath, 'utf8')).profiles.default;
function store(profile: Stored): void {
  mkdirSync(dirname(person.profilePath), { recursive: true });
  const text = JSON.stringify({ profiles: { default: profile } });
  writeFileSync(person.profilePath, text, { mode: 0o600 });
}

const tokensOf = (name: string, expiresAt = '2099-01-01T00:00:00.000Z') => ({
  accessToken: `eyJ.${name}`,
  refreshToken: `rt_${name}`,
  expiresAt,
});
const over = '2020-01-01T00:00:00.000Z';
const renewed = envelope({ accessToken: 'eyJ.new', refreshToken: 'rt_new', expiresIn: 900 });
const me = envelope({ account: { bizId: 'A', email: 'a@demo.test', name: 'A' }, workspaces: [] });
const created = envelope({ apiKeyId: 'ak_live_new', secret: 'new', name: 'x', scopes: ['files:read'] });

/** A server during whose answer to the path something else happens. */
async function during(path: string, meanwhile: (url: string) => void, work: (url: string) => Promise<void>) {
  const answers: Record<string, Answer> = { refresh: renewed, me, 'api-keys': created };
  const server = await listenOnLoopback((request, response) => {
    const [last = ''] = (request.url ?? '').split('/').slice(-1);
    if (last === path) meanwhile(server.origin);
    answers[last]?.(response);
  });
  await work(server.origin).finally(() => server.close());
}

describe('what another process does while this one waits for the server', () => {
  it('a sign-in as someone else is not replaced by tokens that were renewed of the one before', async () => {
    const signInAgain = (url: string) => store({ url, tokens: tokensOf('other') });
    await during('refresh', signInAgain, async (url) => {
      store({ url, tokens: tokensOf('old', over) });
      expect(await person.run(['whoami', '--account'])).toMatchObject({ code: 0, stderr: '' });
      expect(stored()).toEqual({ url, tokens: tokensOf('other') });
    });
  });

  it('a sign-out is not undone by a renewal', async () => {
    await during(
      'refresh',
      (url) => store({ url }),
      async (url) => {
        store({ url, tokens: tokensOf('old', over) });
        await person.run(['whoami', '--account']);
        expect(stored()).toEqual({ url });
      },
    );
  });

  it('a renewal without anything between is kept', async () => {
    await during(
      'refresh',
      () => {},
      async (url) => {
        store({ url, tokens: tokensOf('old', over) });
        expect(await person.run(['whoami', '--account'])).toMatchObject({ code: 0 });
        expect(stored().tokens).toMatchObject({ refreshToken: 'rt_new' });
      },
    );
  });

  const create = ['keys', 'create', '--workspace', 'W', '--name', 'x', '--save'];

  it('a key that it saved is not written over by another', async () => {
    const first = { apiKeyId: 'ak_live_first', secret: 'first' };
    const saveFirst = (url: string) => store({ url, ...first, tokens: tokensOf('own') });
    await during('api-keys', saveFirst, async (url) => {
      store({ url, tokens: tokensOf('own') });
      const { code, stderr } = await person.run(create);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/ak_live_new .*holds the key ak_live_first.*rotate/),
      ]);
      expect(stored()).toMatchObject(first);
    });
  });

  it('a key is never bound to the server that it signed in at meanwhile', async () => {
    const elsewhere = { url: 'https://other.example', tokens: tokensOf('other') };
    const signInElsewhere = () => store(elsewhere);
    await during('api-keys', signInElsewhere, async (url) => {
      store({ url, tokens: tokensOf('own') });
      const { code, stderr } = await person.run(create);
      expect([code, stderr]).toEqual([1, expect.stringContaining('is for https://other.example')]);
      expect(stored()).toEqual(elsewhere);
    });
  });
});

it('processes that renew one sign-in at once all go on with it', async () => {
  const login = ['login', '--url', site.url, '--email', 'owner@demo.test', '--password-stdin'];
  await person.run(login, { input: 'portico-demo' });
  for (let round = 0; round < 3; round += 1) {
    store({ ...stored(), tokens: { ...stored().tokens, expiresAt: over } });
    const ended = await Promise.all(Array.from({ length: 4 }, () => person.run(['whoami', '--account'])));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  }
  expect(await person.run(['whoami', '--account'])).toMatchObject({ code: 0 });
});
