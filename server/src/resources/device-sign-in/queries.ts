import type { Static } from 'typebox';
import { mayAct } from '../../auth/portal/accounts.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import { instant, sql } from '../../db/sql.ts';
import type { AskingDevice } from './schema.ts';

const sweepBatch = 1000;

export type NewDeviceCode = {
  deviceHash: Buffer;
  userHash: Buffer;
  clientName: string | null;
  address: string | null;
  userAgent: string | null;
  addressGroup: string;
  nowMs: number;
  expiresAtMs: number;
};

export type Crowd = { own: number; site: number; all: number };

/** Those of the address and of its site (of IPv6 a /48) that have not expired, and all there are. */
export async function countDeviceCodes(db: Queryable, addressGroup: string, nowMs: number): Promise<Crowd> {
  const site = addressGroup.endsWith('/64') ? addressGroup.replace(/:[^:]*::\/64$/, ':') : addressGroup;
  const [row] = await db.query<Crowd>(sql`
    select count(*) filter (where address_group = ${addressGroup}) as own, count(*) as site,
      (select count(*) from device_codes) as "all"
    from device_codes where starts_with(address_group, ${site}) and expires_at > ${instant(nowMs)}`);
  return row ?? { own: 0, site: 0, all: 0 };
}

/** False: the user code is another's at the moment. */
export async function insertDeviceCode(db: Queryable, code: NewDeviceCode): Promise<boolean> {
  const { deviceHash, userHash, clientName, address, userAgent, addressGroup, nowMs, expiresAtMs } = code;
  const rows = await db.query(sql`
    insert into device_codes (device_hash, user_hash, client_name, ip_address, user_agent, address_group, created_at, expires_at)
    values (${deviceHash}, ${userHash}, ${clientName}, ${address}, ${userAgent}, ${addressGroup}, ${instant(nowMs)}, ${instant(expiresAtMs)})
    on conflict (user_hash) do nothing returning 1`);
  return rows.length === 1;
}

/** Undefined: it is not known, was used, or has expired. */
export async function selectDeviceState(
  db: Queryable,
  deviceHash: Buffer,
  nowMs: number,
): Promise<'pending' | 'denied' | 'confirmed' | undefined> {
  const [row] = await db.query<{ state: 'pending' | 'denied' | 'confirmed' }>(sql`
    select case when denied_at is not null then 'denied' when account_id is not null then 'confirmed' else 'pending' end as state
    from device_codes where device_hash = ${deviceHash} and expires_at > ${instant(nowMs)}`);
  return row?.state;
}

/** Spends a confirmed code: once, whoever else tries. The sign-in that confirmed it must be as open as if it wrote now. */
export async function spendDeviceCode(
  tx: Transaction,
  deviceHash: Buffer,
  nowMs: number,
): Promise<number | undefined> {
  const [row] = await tx.query<{ accountId: number }>(sql`
    delete from device_codes d using accounts a
    where d.device_hash = ${deviceHash} and d.expires_at > ${instant(nowMs)} and a.id = d.account_id and ${mayAct(sql`d.sign_in_id`)}
    returning a.id as "accountId"`);
  return row?.accountId;
}

type Asking = Static<typeof AskingDevice>;

const asking = sql`client_name as "clientName", ip_address as "ipAddress", user_agent as "userAgent",
  created_at as "requestedAt", expires_at as "expiresAt"`;

/** Nobody has decided on it yet. */
const isOpen = (userHash: Buffer, nowMs: number) =>
  sql`user_hash = ${userHash} and account_id is null and denied_at is null and expires_at > ${instant(nowMs)}`;

export async function selectAskingDevice(
  db: Queryable,
  userHash: Buffer,
  nowMs: number,
): Promise<Asking | undefined> {
  const [row] = await db.query<Asking>(
    sql`select ${asking} from device_codes where ${isOpen(userHash, nowMs)}`,
  );
  return row;
}

type Decision = { userHash: Buffer; nowMs: number };

/** Passes over a code that someone else just decides on: it is not open any more, and nobody waits for another in a circle. */
const locked = ({ userHash, nowMs }: Decision) =>
  sql`(select device_hash from device_codes where ${isOpen(userHash, nowMs)} for update skip locked)`;

export async function confirmDeviceCode(
  tx: Transaction,
  decision: Decision,
  { accountId, signIn }: { accountId: number; signIn: string | null },
): Promise<Asking | undefined> {
  const [row] = await tx.query<Asking>(sql`
    update device_codes set account_id = ${accountId}, sign_in_id = ${signIn} where device_hash = ${locked(decision)}
    returning ${asking}`);
  return row;
}

export async function denyDeviceCode(tx: Transaction, decision: Decision): Promise<Asking | undefined> {
  const [row] = await tx.query<Asking>(sql`
    update device_codes set denied_at = ${instant(decision.nowMs)} where device_hash = ${locked(decision)}
    returning ${asking}`);
  return row;
}

/** Deletes a batch of codes that have expired; true when there may be more. */
export async function sweepDeviceCodes(db: Queryable, nowMs: number): Promise<boolean> {
  const rows = await db.query(sql`
    delete from device_codes where device_hash in (
      select device_hash from device_codes where expires_at <= ${instant(nowMs)} order by expires_at limit ${sweepBatch} for update skip locked)
    returning 1`);
  return rows.length === sweepBatch;
}
