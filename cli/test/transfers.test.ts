import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../server/test/world.ts';
import { binary, openSite, outcomeOf, Person, type Site } from './harness.ts';

let site: Site;
let person: Person;
beforeAll(async () => {
  site = await openSite();
  const key = await createKey(site.world, { mode: 2, scopes: ['transfers:read', 'transfers:write'] });
  person = new Person({ PORTICO_URL: site.url, PORTICO_KEY_ID: key.apiKeyId, PORTICO_SECRET: key.secret });
});
afterAll(async () => {
  person.remove();
  await site.world.close();
});

const transfers = (...args: string[]) => person.perform(['transfers', ...args]);
const create = async (...args: string[]) => JSON.parse((await transfers('create', ...args, '--json')).stdout);

describe('portico transfers', () => {
  it('create, get and cancel one', async () => {
    const { code, stdout } = await transfers('create', '12.17', 'usd', '--reference', 'Miete 送金');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^reference +Miete 送金$/m)]);
    const [, id = ''] = /^transferId +(\S+)$/m.exec(stdout) ?? [];
    expect(JSON.parse((await transfers('get', id, '--json')).stdout)).toMatchObject({
      status: 'PENDING',
      amount: '12.17',
    });
    expect((await transfers('cancel', id)).stdout).toMatch(/^status +CANCELLED$/m);
    expect(await transfers('cancel', id)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^portico: 4091 /),
    });
  });

  it('create once under an idempotency key', async () => {
    const args = ['create', '3.17', 'USD', '--idempotency-key', 'order-1'];
    const first = await transfers(...args, '--json');
    const second = await transfers(...args, '--json');
    expect([second.stdout, second.code]).toEqual([first.stdout, 0]);
    expect(second.stderr).toContain('nothing was created again');
    const other = await transfers('create', '4.17', 'USD', '--idempotency-key', 'order-1');
    expect(other).toMatchObject({ code: 1, stderr: expect.stringMatching(/^portico: 4220 /) });
  });

  it('list by filter, order and page', async () => {
    const { stdout } = await transfers(
      'list',
      '--status',
      'completed',
      '--sort',
      'amount,desc',
      '--size',
      '2',
    );
    expect(stdout.split('\n').slice(1, 3)).toEqual([
      expect.stringContaining('COMPLETED'),
      expect.stringContaining('COMPLETED'),
    ]);
    const { transferId } = await create('5.17', 'USD', '--reference', 'cli list');
    const found = await transfers(
      'list',
      '--reference',
      'cli list',
      '--created-from',
      '2020-01-01T00:00:00Z',
      '--json',
    );
    expect(JSON.parse(found.stdout).content.map((each: { transferId: string }) => each.transferId)).toEqual([
      transferId,
    ]);
    expect(
      JSON.parse((await transfers('list', '--updated-to', '2020-01-01T00:00:00Z', '--json')).stdout).content,
    ).toEqual([]);
  });

  it('changes gives each with a cursor to go on from', async () => {
    const { transferId } = await create('6.17', 'USD');
    const { code, stdout } = await transfers(
      'changes',
      '--since',
      new Date(Date.now() - 1000).toISOString(),
      '--json',
    );
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(lines.map(({ transfer }) => transfer.transferId)).toContain(transferId);
    const since = lines.at(-1).cursor;
    await transfers('cancel', transferId);
    const after = (await transfers('changes', '--since', since)).stdout;
    expect(after).toMatch(new RegExp(`Z  ${transferId}  CANCELLED  6\\.17  USD$`, 'm'));
  });

  it('changes --follow goes on until it is interrupted', async () => {
    const since = new Date().toISOString();
    const child = person.start(process.execPath, [
      binary,
      'transfers',
      'changes',
      '--since',
      since,
      '--follow',
    ]);
    const outcome = outcomeOf(child);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill('SIGINT');
    expect(await outcome).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    [['create', '12.5', 'USD'], 1, '4000 amount'],
    [['create', '12.50'], 2, 'CURRENCY is missing'],
    [['get', '..'], 1, 'not an identifier'],
    [['list', '--status', 'LOST'], 2, '--status must be one of PENDING'],
    [['list', '--size', 'many'], 2, '--size must be a whole number'],
    [['changes', '--since', 'yesterday'], 2, '--since needs a cursor or a time'],
  ])('%j is told in one line', async (args, code, expected) => {
    const outcome = await transfers(...args);
    expect([outcome.code, outcome.stdout]).toEqual([code, '']);
    expect(outcome.stderr).toMatch(new RegExp(`^portico: .*${expected}.*\n$`));
  });
});
