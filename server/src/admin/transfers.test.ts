import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { lastRecord, newcomer, recorded, refusal, run } from '../../test/support/operator.ts';
import { adminPortal } from '../../test/support/operators.ts';
import { openWorld, portalCall, signIn, tokenOf, type World } from '../../test/world.ts';
import { sql } from '../db/sql.ts';

const webUrl = '/web/v1/workspaces/WS_DEMO/transfers';
const here = { institutionId: 'INST_DEMO', workspaceId: 'WS_DEMO' };

let world: World;
let other: World;
let owner: string;
beforeAll(async () => {
  world = await openWorld({ env: adminPortal });
  other = await openWorld({ database: world.database, clock: world.clock });
  owner = await signIn(world);
});
afterAll(async () => {
  await other.close();
  await world.close();
});

const create = async (): Promise<string> => {
  const body = { amount: '12.50', currency: 'USD' };
  return (await portalCall(world, owner, { url: webUrl, body })).json().data.transferId;
};
const show = async (id: string) =>
  (await portalCall(world, owner, { method: 'GET', url: `${webUrl}/${id}` })).json().data;
const move = (token: string, id: string, body: object, at = world) =>
  portalCall(at, token, { url: `/web/v1/admin/transfers/${id}/status`, body });

describe('an operator on the command line', () => {
  it('moves a transfer of any workspace on, says why it failed, and is written down in the log of the workspace', async () => {
    const transfer = await create();
    expect(await run(world, 'setTransferStatus', { transfer, status: 'PROCESSING' })).toMatchObject({
      transferId: transfer,
      workspaceId: 'WS_DEMO',
      mode: 'LIVE',
      status: 'PROCESSING',
      failureReason: null,
    });
    const processing = { status: { from: 'PENDING', to: 'PROCESSING' } };
    expect(await lastRecord(world)).toEqual(recorded('transfer.processing', transfer, processing, here));
    const { updatedAt } = await show(transfer);
    const reason = 'the account is closed';
    expect(await run(world, 'setTransferStatus', { transfer, status: 'FAILED', reason })).toMatchObject({
      status: 'FAILED',
      failureReason: reason,
    });
    const failed = {
      status: { from: 'PROCESSING', to: 'FAILED' },
      failureReason: { from: null, to: reason },
    };
    expect(await lastRecord(world)).toEqual(recorded('transfer.failed', transfer, failed, here));
    const shown = await show(transfer);
    expect(Object.keys(shown)).toHaveLength(7);
    expect(shown.updatedAt > updatedAt).toBe(true);
  });

  it('takes each way that there is, and no other', async () => {
    const ways: Record<string, string[]> = { PENDING: ['PROCESSING'], PROCESSING: ['COMPLETED', 'FAILED'] };
    const statuses = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'];
    for (const from of statuses) {
      for (const status of statuses) {
        const transfer = await create();
        await world.db.query(
          sql`update transfers set status = ${from}::transfer_status where biz_id = ${transfer}`,
        );
        const said = await refusal(world, 'setTransferStatus', { transfer, status });
        const isWay = ways[from]?.includes(status) ?? false;
        expect([from, said]).toEqual([
          from,
          isWay ? 'none' : `4091 a transfer that is ${from} cannot become ${status}`,
        ]);
        expect((await show(transfer)).status).toBe(isWay ? status : from);
      }
    }
  });

  test.each<[object, string]>([
    [{}, '4000 transfer is required; status is required'],
    [{ transfer: 'TRF_NOWHERE', status: 'PROCESSING' }, '4040 there is no transfer TRF_NOWHERE'],
    [{ transfer: "' or 1=1", status: 'PROCESSING' }, '4040 there is no transfer'],
    [{ transfer: 'TRF_NOWHERE', status: 'DONE' }, '4000 status must be one of PENDING, PROCESSING'],
    [{ transfer: 'TRF_NOWHERE', status: 'FAILED', reason: 'a\u0007' }, '4000 reason must not have control'],
    [
      { transfer: 'TRF_NOWHERE', status: 'FAILED', reason: 'x'.repeat(201) },
      '4000 reason must have at most 200',
    ],
  ])('is refused %j', async (given, expected) => {
    expect(await refusal(world, 'setTransferStatus', given)).toContain(expected);
  });

  it('gives a reason for what FAILED alone', async () => {
    const transfer = await create();
    const given = { transfer, status: 'PROCESSING', reason: 'none' };
    expect(await refusal(world, 'setTransferStatus', given)).toBe('4000 a failureReason is for FAILED alone');
    expect((await show(transfer)).status).toBe('PENDING');
  });
});

describe('an operator account', () => {
  it('is granted and revoked, which counts at the next request', async () => {
    const { accountId, email } = await newcomer(world);
    const token = await tokenOf(world, accountId);
    const transfer = await create();
    const status = async () => (await move(token, transfer, { status: 'PROCESSING' })).json().code;
    expect(await status()).toBe('4030');
    expect(await refusal(world, 'revokeOperator', { account: email })).toBe(
      '4091 the account is no operator',
    );
    expect(await run(world, 'grantOperator', { account: email })).toMatchObject({
      accountId,
      isOperator: true,
    });
    const granted = { isOperator: { from: false, to: true } };
    expect(await lastRecord(world)).toEqual(recorded('account.operator-granted', accountId, granted));
    expect(await refusal(world, 'grantOperator', { account: email })).toBe(
      '4091 the account is an operator already',
    );
    expect(await status()).toBe('2000');
    await run(world, 'revokeOperator', { account: accountId });
    const revoked = { isOperator: { from: true, to: false } };
    expect(await lastRecord(world)).toEqual(recorded('account.operator-revoked', accountId, revoked));
    expect((await move(token, transfer, { status: 'COMPLETED' })).json().code).toBe('4030');
    expect(await refusal(world, 'grantOperator', { account: 'nobody@acme.test' })).toContain(
      '4040 there is no account',
    );
  });

  it('moves on an ADMIN portal alone, and learns nothing of transfers on another', async () => {
    const { accountId } = await newcomer(world);
    await run(world, 'grantOperator', { account: accountId });
    const token = await tokenOf(world, accountId);
    const transfer = await create();
    const answers = [transfer, 'TRF_NOWHERE'].map((id) => move(token, id, { status: 'FAILED' }, other));
    for (const answer of await Promise.all(answers))
      expect([answer.statusCode, answer.json().message]).toEqual([
        403,
        'only an operator may do this, on an ADMIN portal',
      ]);
    expect((await move(token, transfer, { status: 'FAILED' })).json().code).toBe('4091');
    const moved = await move(token, transfer, { status: 'PROCESSING' });
    expect([moved.statusCode, moved.json().data]).toEqual([200, await show(transfer)]);
    expect(await lastRecord(world)).toMatchObject({ actorType: 'ACCOUNT', actorId: accountId, ...here });
    const failed = await move(token, transfer, { status: 'FAILED', failureReason: 'no such account' });
    expect(failed.json().data.status).toBe('FAILED');
    expect(await lastRecord(world)).toMatchObject({
      changes: { failureReason: { from: null, to: 'no such account' } },
    });
  });

  it('sees no more than before', async () => {
    const { accountId } = await newcomer(world);
    await run(world, 'grantOperator', { account: accountId });
    const token = await tokenOf(world, accountId);
    expect((await portalCall(world, token, { method: 'GET', url: webUrl })).statusCode).toBe(403);
  });
});

describe('two who move a transfer at once', () => {
  it('cancel it or process it: exactly one of them', async () => {
    for (let round = 0; round < 20; round++) {
      const transfer = await create();
      const [cancelled, processed] = await Promise.all([
        portalCall(other, owner, { url: `${webUrl}/${transfer}/cancel` }),
        refusal(world, 'setTransferStatus', { transfer, status: 'PROCESSING' }),
      ]);
      const { status } = await show(transfer);
      expect([cancelled.json().code === '2000', processed === 'none'].filter(Boolean)).toHaveLength(1);
      expect(status).toBe(processed === 'none' ? 'PROCESSING' : 'CANCELLED');
    }
  });
});
