import { Secret, TOTP } from 'otpauth';
import { sql } from '../../src/db/sql.ts';
import { type Call, portalCall, tokenOf, type World } from '../world.ts';

export const accountUrl = '/web/v1/account';
export const factorUrl = `${accountUrl}/second-factor`;
export const ownerId = 'ACC_DEMO_OWNER';

export const stepMs = 30_000;

/** The code that an app shows at a time. */
export const codeAt = (secret: string, timestamp: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });

/** The code that an app shows, as many steps of 30 s from now. */
export function codeOf(world: World, secret: string, steps = 0): string {
  return codeAt(secret, world.clock.now() + steps * stepMs);
}

export type Factor = { secret: string; recoveryCodes: string[] };

/** A second factor that is confirmed, with a code of the step before this one. */
export async function addFactor(world: World, token: string): Promise<Factor> {
  const { secret } = (await portalCall(world, token, { url: factorUrl })).json().data;
  const code = codeOf(world, secret, -1);
  const confirmed = await portalCall(world, token, { url: `${factorUrl}/confirm`, body: { code } });
  return { secret, recoveryCodes: confirmed.json().data.recoveryCodes };
}

export async function dropFactor({ db }: World, accountBizId = ownerId): Promise<void> {
  await db.query(sql`
    delete from second_factors where account_id = (select id from accounts where biz_id = ${accountBizId})`);
}

/** The password of the demo again, for everyone, whatever was set since. No hash is made for it. */
export async function restorePassword({ db }: World): Promise<void> {
  await db.query(sql`
    update accounts set password_hash = (select password_hash from accounts where email = 'viewer@demo.test')`);
}

async function pending(world: World): Promise<Partial<Call>> {
  await dropFactor(world);
  const { secret } = (await portalCall(world, await tokenOf(world, ownerId), { url: factorUrl })).json().data;
  return { body: { code: codeOf(world, secret) } };
}

async function removable(world: World): Promise<Partial<Call>> {
  await dropFactor(world);
  const { recoveryCodes } = await addFactor(world, await tokenOf(world, ownerId));
  return { body: { code: recoveryCodes[0] } };
}

async function endable(world: World): Promise<Partial<Call>> {
  const [row] = await world.db.query<{ id: string }>(sql`
    insert into sign_ins (account_id) select id from accounts where biz_id = ${ownerId} returning id`);
  return { url: `${accountUrl}/sessions/${row?.id}` };
}

/** What has to be so before each of the owner's own commands can succeed, and how it is then called. */
export const ownCommands: Record<string, (world: World) => Promise<Partial<Call>>> = {
  changeAccount: async () => ({}),
  changePassword: async (world) => {
    await restorePassword(world);
    return {};
  },
  endSession: endable,
  addSecondFactor: async (world) => {
    await dropFactor(world);
    return {};
  },
  confirmSecondFactor: pending,
  removeSecondFactor: removable,
};
