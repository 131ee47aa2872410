import { beforeAll, describe, expect, it } from 'vitest';
import { scopeCodes } from '../../src/auth/signed/scopes.ts';
import { sql } from '../../src/db/sql.ts';
import { countRows } from '../hostile/ledger.ts';
import { exchange, listen, requestBytes } from '../raw-http.ts';
import { makeOperator } from '../support/operators.ts';
import { ownerId } from '../support/own-account.ts';
import {
  type Call,
  createKey,
  type Key,
  portalCall,
  signatureHeaders,
  signedCall,
  tokenOf,
  type World,
} from '../world.ts';
import { type CommandTarget, targetOf } from './command-targets.ts';

/** A command as the app and its description know it. */
export type CommandCase = {
  method: 'POST' | 'PATCH' | 'DELETE';
  /** Route as registered. */
  url: string;
  /** A body that is taken, by the description's own example; undefined where there is none. */
  example: object | undefined;
  /** Names of the fields that its body may have. */
  fields: string[];
  /** What has to be done to a new one before, as paths below it. */
  before: string[];
  /** How a command that is of no workspace is called, to be taken once. */
  prepare: ((world: World) => Promise<Partial<Call>>) | undefined;
};

type Names = { workspaceId?: string; id?: string };
type Open = () => {
  world: World;
  owner: string;
  viewer: string;
  target: CommandTarget | undefined;
  foreign: string;
  /** Sends it as who may: the owner, or a key of the workspace. */
  send(call: Call): ReturnType<typeof portalCall>;
  /** Who that is, as the log names them. */
  actor(): { actor_type: string; actor_id: string };
  /** A request that succeeds once, on something of its own. */
  good(): Promise<Call>;
  /** The same on other names, or on what is not there. */
  on(names?: Names): Call;
  refused(call: Promise<Answered>, status: number, code: string): Promise<void>;
  /** With one header sent twice. */
  twice(header: Record<string, string>): Promise<Answered>;
};
type Answered = { statusCode: number; json(): { code: string } };

/** What answers show once. */
const secrets = ['secret', 'url', 'otpauthUri', 'recoveryCodes'];

/** A signature spends its nonce, whatever becomes of the request. A file that was deleted before is erased at some time after. */
async function countKept(world: World): Promise<Record<string, number>> {
  const { api_nonces: _spent, ...rows } = await countRows(world);
  const [files] = await world.db.query<{ count: number }>(
    sql`select count(*) as count from files where deleted_at is null`,
  );
  return { ...rows, files: files?.count ?? 0 };
}

const isOfWorkspace = ({ url }: CommandCase) => url.includes(':workspaceId');
const isSigned = ({ url }: CommandCase) => url.startsWith('/api/');
export const isOfPlatform = ({ url }: CommandCase) => url.startsWith('/web/v1/admin/');
/** What members of a workspace do, and not only its owners. */
const isWork = ({ url }: CommandCase) => /\/transfers\b/.test(url);

function callerGuarantees(open: Open): void {
  it('refuses who has no token, a forged one or two with 401 4010', async () => {
    const { world, owner, on, refused, twice } = open();
    await refused(portalCall(world, undefined, on()), 401, '4010');
    await refused(portalCall(world, `${owner.slice(0, -4)}AAAA`, on()), 401, '4010');
    await refused(twice({ Authorization: `Bearer ${owner}` }), 401, '4010');
  });

  it('refuses an account that is gone while its token still holds with 401 4010', async () => {
    const { world, on, refused } = open();
    const gone = await tokenOf(world, 'ACC_NOBODY');
    await refused(portalCall(world, gone, on()), 401, '4010');
  });
}

function roleGuarantees(open: Open, command: CommandCase): void {
  const refusedRoles = isWork(command) ? ['VIEWER'] : ['MEMBER', 'VIEWER'];
  it(`refuses ${refusedRoles.join(' and ')}, and who has no role there, with 403 4030, whatever else is wrong`, async () => {
    const { world, viewer, owner, on, refused } = open();
    const wrong = { body: { name: 7, scopes: {} }, headers: { 'idempotency-key': '' } };
    const becomes = (role: string) =>
      world.db.query(sql`
        update workspace_members set role = ${role}::workspace_role
        where account_id = (select id from accounts where email = 'viewer@demo.test')`);
    for (const role of refusedRoles) {
      await becomes(role);
      await refused(portalCall(world, viewer, on()), 403, '4030');
      await refused(portalCall(world, viewer, { ...on(), ...wrong }), 403, '4030');
    }
    for (const workspaceId of ['WS_OTHER', 'WS_DEMO_2', 'WS_NOWHERE'])
      await refused(portalCall(world, owner, { ...on({ workspaceId }), ...wrong }), 403, '4030');
  });
}

function memberGuarantees(open: Open): void {
  it('takes a MEMBER', async () => {
    const { world, viewer, good } = open();
    await world.db.query(sql`
      update workspace_members set role = 'MEMBER' where account_id = (select id from accounts where email = 'viewer@demo.test')`);
    expect((await portalCall(world, viewer, await good())).statusCode).toBeLessThan(300);
  });
}

function inputGuarantees(open: Open, command: CommandCase): void {
  const { url, fields } = command;
  it('refuses every field of a wrong type with 400 4000, naming it', async () => {
    const { send, on } = open();
    for (const field of fields) {
      const answer = await send({ ...on(), body: { [field]: [{ a: [1] }] } });
      expect([field, answer.statusCode, answer.json().code]).toEqual([field, 400, '4000']);
      expect(answer.json().message).toContain(field);
    }
  });

  it('refuses what is no JSON, of another type or too large', async () => {
    const { send, on, refused } = open();
    await refused(send({ ...on(), body: '[' }), 400, '4002');
    const headers = { 'content-type': 'text/plain' };
    await refused(send({ ...on(), body: '{}', headers }), 415, '4150');
    const body = JSON.stringify({ name: 'x'.repeat(1024 * 1024) });
    await refused(send({ ...on(), body }), 413, '4130');
  });

  const target = targetOf(url);
  if (target !== undefined && url.includes(`:${target.name}`))
    it('refuses an id that nothing has, or something elsewhere, with 404 4040', async () => {
      const { send, foreign, on, refused } = open();
      const elsewhere = isOfPlatform(command) ? [] : [foreign]; // the platform is everywhere
      for (const id of [target.nowhere, ...elsewhere, '%27', '%F0%9F%94%91'])
        await refused(send(on({ id })), 404, '4040');
    });
}

function spellingGuarantees(open: Open): void {
  it('refuses an Idempotency-Key of 0 or 256 characters, of others than ! to ~, and a repeated one', async () => {
    const { send, on, refused, twice } = open();
    for (const key of ['', 'x'.repeat(256), 'a b', 'a\tb', 'a\u0001', 'a\u007f', 'schl\u00fcssel'])
      await refused(send({ ...on(), headers: { 'idempotency-key': key } }), 400, '4000');
    await refused(twice({ 'Idempotency-Key': 'a' }), 400, '4000');
  });
}

function keyGuarantees(open: Open, command: CommandCase): void {
  const send = (key: string, call: Call) => open().send({ ...call, headers: { 'idempotency-key': key } });

  it('takes one of 1 or 255 characters, and gives its first answer again, without secrets', async () => {
    for (const key of ['~', 'x'.repeat(255)]) {
      const call = await open().good();
      const first = await send(key, call);
      expect(first.statusCode).toBeLessThan(300);
      expect(first.headers['idempotent-replayed']).toBeUndefined();
      const rows = await countKept(open().world);
      const second = await send(key, call);
      expect([second.statusCode, second.headers['idempotent-replayed']]).toEqual([first.statusCode, 'true']);
      const { data, ...envelope } = first.json();
      const shown = Object.keys(data ?? {}).filter((field) => secrets.includes(field));
      const kept = data && { ...data, ...Object.fromEntries(shown.map((field) => [field, null])) };
      expect(second.json()).toEqual({ ...envelope, data: kept });
      expect(await countKept(open().world)).toEqual(rows);
    }
  });

  it('refuses the key with another body with 422 4220', async () => {
    const call = await open().good();
    expect((await send('another', call)).statusCode).toBeLessThan(300);
    await open().refused(
      send('another', { ...call, body: { ...(call.body as object), more: 1 } }),
      422,
      '4220',
    );
  });

  it('leaves the key free when it refuses', async () => {
    const { world, on } = open();
    const call = await open().good();
    if (isOfWorkspace(command))
      expect((await send('free', on({ workspaceId: 'WS_OTHER' }))).statusCode).toBe(403);
    expect((await send('free', { ...call, body: '[' })).statusCode).toBe(400);
    expect((await send('free', call)).headers['idempotent-replayed']).toBeUndefined();
    expect(JSON.stringify(await world.db.query(sql`select answer from idempotency_keys`))).not.toMatch(
      /sk_|whsec_|#[0-9A-Za-z]{43}/,
    );
  });
}

function recordGuarantees(open: Open, command: CommandCase): void {
  it('leaves one record of who did it, from where and in which request', async () => {
    const { world, target, actor } = open();
    const call = await open().good();
    const before = await world.db.query(sql`select 1 from audit_waiting`);
    const answer = await open().send(call);
    const records = await world.db.query<Record<string, unknown>>(
      sql`select actor_type, actor_id, subject_id, ip_address, request_id, workspace_id from audit_waiting order by id`,
    );
    expect(records.length).toBe(before.length + 1);
    expect(records.at(-1)).toEqual({
      ...actor(),
      // Where nothing is left to show, by its name in the path.
      subject_id: target
        ? (answer.json().data?.[target.name] ??
          call.url.split('/')[command.url.split('/').indexOf(`:${target.name}`)])
        : 'ACC_DEMO_OWNER',
      ip_address: '127.0.0.1',
      request_id: answer.headers['x-request-id'],
      workspace_id: target ? 'WS_DEMO' : null,
    });
  });
}

type Prepared = { port: number; foreign(target: CommandTarget): Promise<string> };
const prepared = new WeakMap<World, Promise<Prepared>>();

/** What is done once in a world, however many suites share it. */
async function prepareWorld(world: World): Promise<Prepared> {
  const ids = new Map<CommandTarget, string>();
  const foreign = async (target: CommandTarget) => {
    const id = ids.get(target) ?? (await target.foreign(world));
    ids.set(target, id);
    return id;
  };
  return { port: await listen(world), foreign };
}

function preparedIn(world: World): Promise<Prepared> {
  const preparing = prepared.get(world) ?? prepareWorld(world);
  prepared.set(world, preparing);
  return preparing;
}

/** What every command guarantees, whatever it is for. */
export function commandSuite(command: CommandCase, worldOf: () => World): void {
  const { method, url, example, before, prepare } = command;
  const target = targetOf(url);
  describe(`${method} ${url} as a command`, () => {
    let world: World;
    let owner: string;
    let viewer: string;
    let key: Key;
    let port: number;
    let foreign: string;
    beforeAll(async () => {
      world = worldOf();
      if (isOfPlatform(command)) await makeOperator(world);
      await world.db.query(sql`delete from idempotency_keys`);
      owner = await tokenOf(world, ownerId);
      viewer = await tokenOf(world, 'ACC_DEMO_VIEWER');
      key = await createKey(world, { scopes: [...scopeCodes] });
      const ready = await preparedIn(world);
      port = ready.port;
      foreign = target === undefined ? '' : await ready.foreign(target);
    });

    const on = ({
      workspaceId = 'WS_DEMO',
      id = target?.some ?? target?.nowhere ?? '',
    }: Names = {}): Call => ({
      method,
      url: url.replace(':workspaceId', workspaceId).replace(`:${target?.name}`, id),
      ...(example === undefined ? {} : { body: example }),
    });
    const good = async () => {
      if (prepare !== undefined) return { ...on(), ...(await prepare(world)) };
      const id = (await target?.make(world, owner)) ?? '';
      const { url: made } = on({ id });
      const itself = made.slice(0, made.indexOf(id) + id.length);
      for (const path of before) await portalCall(world, owner, { url: `${itself}${path}` });
      return on({ id });
    };
    /** On the wire, where a header can be repeated. */
    const twice = async (header: Record<string, string>) => {
      const { url: target, body } = on();
      const sent = JSON.stringify(body ?? {});
      const identity = isSigned(command)
        ? signatureHeaders(world, key, { method: 'POST', url: target, body: sent })
        : { Authorization: `Bearer ${owner}` };
      const others = { 'Content-Type': 'application/json', ...identity, ...header };
      const headers = [...Object.entries(header), ...Object.entries(others)];
      const bytes = requestBytes({ method, target, headers, body: Buffer.from(sent) });
      const { status, text } = await exchange(port, bytes);
      return { statusCode: status, json: () => JSON.parse(text) };
    };
    const refused = async (call: Promise<Answered>, status: number, code: string) => {
      const answer = await call;
      expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
    };
    const send = (call: Call) => {
      if (!isSigned(command)) return portalCall(world, owner, call);
      const body = typeof call.body === 'string' ? call.body : JSON.stringify(call.body ?? {});
      const headers = call.headers as Record<string, string>; // as this suite writes them
      return signedCall(world, key, { method: 'POST', url: call.url, body }, headers);
    };
    const actor = () =>
      isSigned(command)
        ? { actor_type: 'API_KEY', actor_id: key.apiKeyId }
        : { actor_type: 'ACCOUNT', actor_id: 'ACC_DEMO_OWNER' };
    const open = () => ({ world, owner, viewer, target, foreign, send, actor, good, on, refused, twice });

    describe('that refuses', () => {
      let rows: Record<string, number>;
      beforeAll(async () => {
        rows = await countKept(world);
      });
      if (!isSigned(command)) callerGuarantees(open);
      if (isOfWorkspace(command)) roleGuarantees(open, command);
      inputGuarantees(open, command);
      if (method === 'POST') spellingGuarantees(open);
      it('leaves no row anywhere, the log included', async () => {
        expect(await countKept(world)).toEqual(rows);
      });
    });
    if (method === 'POST') keyGuarantees(open, command);
    recordGuarantees(open, command);
    if (isOfWorkspace(command) && isWork(command)) memberGuarantees(open);
  });
}
