import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { lastRecord, newWorkspace, recorded } from '../../../test/support/operator.ts';
import { createKey, openWorld, portalCall, signedCall, signIn, type World } from '../../../test/world.ts';
import { sql } from '../../db/sql.ts';
import { verifyTally } from '../../db/tally.ts';
import { type ImportName, imports } from './imports.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

let made = 0;
const transfer = (more: object = {}) => ({
  transferId: `EXT-${++made}`,
  amount: '12.50',
  currency: 'USD',
  status: 'COMPLETED',
  createdAt: '2024-02-29T12:00:00Z',
  updatedAt: '2024-03-01T00:00:00.123Z',
  reference: 'Invoice 7',
  ...more,
});
const file = (more: object = {}) => ({
  bizId: `EXT_FILE-${++made}`,
  bucket: 'old-archive',
  objectKey: 'a/b.pdf',
  originalFilename: '../résumé \u202e.pdf',
  fileSize: 12,
  contentType: 'application/pdf',
  fileCategory: 'CONTRACT',
  fileStatus: 'ACTIVE',
  etag: 'abc',
  remark: 'from before',
  createdAt: '2024-02-29T12:00:00.000Z',
  createdBy: 'legacy',
  ...more,
});

type Given = string | Uint8Array | object;
const bytesOf = (line: Given) =>
  line instanceof Uint8Array ? line : Buffer.from(typeof line === 'string' ? line : JSON.stringify(line));

async function* chunks(lines: readonly Given[], size = 1000): AsyncGenerator<Uint8Array> {
  const all = Buffer.concat(
    lines.flatMap((line, index) => (index === 0 ? [bytesOf(line)] : [Buffer.from('\n'), bytesOf(line)])),
  );
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
}

async function bring(name: ImportName, lines: readonly Given[], { workspace = 'WS_DEMO', size = 1000 } = {}) {
  const refused: [number, string][] = [];
  const desk = { db: world.db, now: world.clock.now, operator: { user: 'root' } };
  const report = await imports[name]({ workspace })(desk, chunks(lines, size), {
    refused: (line, reason) => refused.push([line, reason]),
    progress: () => {},
  });
  return { report, refused };
}

const transferRow = async (id: string) =>
  (
    await world.db.query<{ updated_at: string }>(sql`
      select amount::text, currency, status::text, reference, mode::text, created_at, updated_at from transfers where biz_id = ${id}`)
  )[0];
const recordCount = async () =>
  (await world.db.query<{ count: number }>(sql`select count(*) as count from audit_waiting`))[0]?.count;

describe('transfers from elsewhere', () => {
  it('are then what the lines say, in the API and in the counts, and one record tells of them', async () => {
    const workspace = await newWorkspace(world, 'owner@demo.test');
    const lines = [
      transfer(),
      transfer({ amount: '7', currency: 'JPY', reference: null, status: 'FAILED' }),
      transfer({ mode: 'TEST', status: 'COMPLETED' }),
    ];
    const { report, refused } = await bring('transfers', lines, { workspace, size: 7 });
    expect([report, refused]).toEqual([{ lines: 3, added: 3, changed: 0, unchanged: 0, refused: 0 }, []]);
    expect(await lastRecord(world)).toEqual(
      recorded(
        'workspace.transfers-imported',
        workspace,
        {
          lines: { from: null, to: '1 to 3' },
          added: { from: null, to: 3 },
          changed: { from: null, to: 0 },
        },
        { workspaceId: workspace, institutionId: 'INST_DEMO' },
      ),
    );
    const key = await createKey(world, {}, workspace);
    const { content, page } = (
      await signedCall(world, key, { url: '/api/v1/transfers?sort=amount,asc' })
    ).json().data;
    expect(page.totalElements).toBe(2);
    expect(content).toEqual(
      [lines[1], lines[0]].map((line) => ({ ...line, createdAt: '2024-02-29T12:00:00.000Z' })),
    );
    expect(await verifyTally(world.db, 'transfers')).toEqual([]);
  });

  it('change nothing when they come again, and what differs when it does', async () => {
    const lines = [transfer(), transfer(), transfer()];
    await bring('transfers', lines);
    const before = await recordCount();
    expect((await bring('transfers', lines)).report).toMatchObject({ added: 0, changed: 0, unchanged: 3 });
    expect(await recordCount()).toBe(before);
    const [first, second, third] = lines;
    const { report } = await bring('transfers', [first ?? {}, { ...second, status: 'FAILED' }, third ?? {}]);
    expect(report).toMatchObject({ added: 0, changed: 1, unchanged: 2 });
    expect(await transferRow(second?.transferId ?? '')).toMatchObject({ status: 'FAILED' });
    expect(await verifyTally(world.db, 'transfers')).toEqual([]);
  });

  it('without updatedAt have the time at which they were brought, and keep it while nothing else differs', async () => {
    const { updatedAt: _left, ...line } = transfer();
    const begun = world.clock.now();
    await bring('transfers', [line]);
    const first = await transferRow(line.transferId);
    expect(Date.parse(first?.updated_at ?? '')).toBeGreaterThanOrEqual(begun);
    expect((await bring('transfers', [line])).report).toMatchObject({ unchanged: 1 });
    expect(await transferRow(line.transferId)).toEqual(first);
  });

  it('of one id twice in a file end as the later says', async () => {
    const line = transfer({ status: 'PENDING' });
    const { report } = await bring('transfers', [
      line,
      { ...line, status: 'PROCESSING' },
      { ...line, status: 'COMPLETED' },
    ]);
    expect(report).toMatchObject({ lines: 3, added: 1, changed: 2 });
    expect(await transferRow(line.transferId)).toMatchObject({ status: 'COMPLETED' });
  });

  it('of TEST that are PENDING settle as others do', async () => {
    const line = transfer({ mode: 'TEST', status: 'PENDING' });
    await bring('transfers', [line]);
    const [row] = await world.db.query<object>(
      sql`select moves_at is not null as moves from transfers where biz_id = ${line.transferId}`,
    );
    expect(row).toEqual({ moves: true });
  });

  test.each<[string, Given, RegExp]>([
    ['no JSON', '{"transferId"', /^is not JSON$/],
    ['a list', '[]', /^is not a JSON object$/],
    ['null', 'null', /^is not a JSON object$/],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), /^is not UTF-8$/],
    ['a line without end', 'x'.repeat(70_000), /^has more than 65536 bytes$/],
    ['a missing field', '{}', /^transferId is required; amount is required; currency is required; status/],
    [
      'a misspelt field',
      transfer({ refrence: 'x' }),
      /^refrence is not a field of a transfer: did you mean reference\?$/,
    ],
    ['an amount of no digits', transfer({ amount: '١٢' }), /^amount must be a decimal number/],
    ['a number', transfer({ amount: 12.5 }), /^amount must be a string/],
    ['too few digits', transfer({ amount: '12.5' }), /^amount must have exactly 2 digits .* 12\.50$/],
    ['a currency of nobody', transfer({ currency: 'XYZ' }), /^currency must be a code of ISO 4217/],
    ['an unknown status', transfer({ status: 'DONE' }), /^status must be one of PENDING/],
    ['an unknown mode', transfer({ mode: 'live' }), /^mode must be one of LIVE, TEST$/],
    ['a day that is none', transfer({ createdAt: '2023-02-29T00:00:00Z' }), /^createdAt must be an ISO 8601/],
    [
      'a change before it was made',
      transfer({ updatedAt: '2020-01-01T00:00:00Z' }),
      /^updatedAt must not be before/,
    ],
    ['an id that is none', transfer({ transferId: '../x' }), /^transferId must be 1 to 64/],
    ['NUL in a text', transfer({ reference: 'a\0b' }), /^reference must/],
  ])('%s is refused by its line, and the lines around it are taken', async (_name, wrong, reason) => {
    const [one, two] = [transfer(), transfer()];
    const { report, refused } = await bring('transfers', [one, wrong, '', two]);
    expect(refused).toEqual([[2, expect.stringMatching(reason)]]);
    expect(report).toEqual({ lines: 3, added: 2, changed: 0, unchanged: 0, refused: 1 });
  });

  it('never move to another workspace or mode', async () => {
    const line = transfer();
    await bring('transfers', [line]);
    const workspace = await newWorkspace(world);
    expect((await bring('transfers', [line], { workspace })).refused).toEqual([
      [1, `${line.transferId} is of another workspace or mode`],
    ]);
    expect((await bring('transfers', [{ ...line, mode: 'TEST' }])).refused).toHaveLength(1);
    expect(await transferRow(line.transferId)).toMatchObject({ mode: 'LIVE' });
  });

  it('that only the database refuses are found among the others', async () => {
    await world.db.query(
      sql`alter table transfers add constraint no_unlucky check (reference <> 'unlucky') not valid`,
    );
    const lines = Array.from({ length: 9 }, (_none, index) =>
      transfer(index === 6 ? { reference: 'unlucky' } : {}),
    );
    const { report, refused } = await bring('transfers', lines);
    await world.db.query(sql`alter table transfers drop constraint no_unlucky`);
    expect(refused).toEqual([[7, expect.stringContaining('no_unlucky')]]);
    expect(report).toMatchObject({ lines: 9, added: 8, refused: 1 });
  });

  it('want a workspace that is there', async () => {
    await expect(bring('transfers', [transfer()], { workspace: 'WS_NOWHERE' })).rejects.toMatchObject({
      code: '4040',
    });
    expect(() => imports.transfers({})).toThrow('workspace is required');
  });

  it('of more than a batch are counted exactly, whatever pieces they come in, with a mark at the beginning', async () => {
    const workspace = await newWorkspace(world);
    const lines = Array.from({ length: 12_001 }, (_none, index) =>
      transfer({ createdAt: new Date(1.6e12 + index * 3.6e6).toISOString() }),
    );
    const { report } = await bring(
      'transfers',
      [`\uFEFF${JSON.stringify(lines[0])}`, ...lines.slice(1), ''],
      {
        workspace,
        size: 65_536,
      },
    );
    expect(report).toEqual({ lines: 12_001, added: 12_001, changed: 0, unchanged: 0, refused: 0 });
    expect(await verifyTally(world.db, 'transfers')).toEqual([]);
  });
});

describe('files from elsewhere', () => {
  it('are records like others, of which nothing is served', async () => {
    const line = file();
    expect((await bring('files', [line])).report).toMatchObject({ added: 1 });
    const token = await signIn(world);
    const shown = await portalCall(world, token, { method: 'GET', url: `/web/v1/files/${line.bizId}` });
    expect(shown.json().data).toEqual(line);
    const content = await portalCall(world, token, {
      method: 'GET',
      url: `/web/v1/files/${line.bizId}/content`,
    });
    expect(content.statusCode).toBe(404);
    expect((await bring('files', [line])).report).toMatchObject({ unchanged: 1 });
    expect((await bring('files', [{ ...line, fileStatus: 'ARCHIVED' }])).report).toMatchObject({
      changed: 1,
    });
    expect(await verifyTally(world.db, 'files')).toEqual([]);
  });

  it('never replace what has its bytes here, nor bring back what was deleted', async () => {
    const [stored, deleted] = [file(), file()];
    await bring('files', [stored, deleted]);
    await world.db.query(sql`update files set is_stored = true where biz_id = ${stored.bizId}`);
    await world.db.query(sql`update files set deleted_at = now() where biz_id = ${deleted.bizId}`);
    const { refused } = await bring('files', [{ ...stored, etag: 'other' }, deleted]);
    expect(refused).toEqual([
      [1, `${stored.bizId} has its bytes here, and is not changed by an import`],
      [2, `${deleted.bizId} was deleted`],
    ]);
  });

  test.each<[string, object, RegExp]>([
    ['a size below zero', { fileSize: -1 }, /^fileSize must be >= 0$/],
    ['half a byte', { fileSize: 0.5 }, /^fileSize must be an integer$/],
    ['a code for a name', { fileCategory: 7 }, /^fileCategory must be/],
    ['no name', { originalFilename: '' }, /^originalFilename must have at least 1 character$/],
  ])('%s is refused by its line', async (_name, wrong, reason) => {
    expect((await bring('files', [file(wrong)])).refused).toEqual([[1, expect.stringMatching(reason)]]);
  });
});
