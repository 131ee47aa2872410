import type { Config } from '../../config.ts';
import type { Queryable } from '../../db/database.ts';
import { instant, sql } from '../../db/sql.ts';

/** Each instance is heard of every minute. */
const aliveMs = 3 * 60_000;

/** What our tokens name as their issuer. */
export const issuerOf = ({ publicUrl, basePath }: Pick<Config, 'publicUrl' | 'basePath'>) =>
  `${publicUrl}${basePath}`;

/** Tells others of this database where we are reached, and gives where else instances are reached that are alive. */
export async function noteIssuer(db: Queryable, issuer: string, nowMs: number): Promise<string[]> {
  await db.query(sql`delete from issuers_in_use where seen_at < ${instant(nowMs - aliveMs)}`);
  await db.query(sql`
    insert into issuers_in_use (issuer, seen_at) values (${issuer}, ${instant(nowMs)})
    on conflict (issuer) do update set seen_at = excluded.seen_at`);
  const others = await db.query<{ issuer: string }>(
    sql`select issuer from issuers_in_use where issuer <> ${issuer} order by issuer limit 10`,
  );
  return others.map((other) => other.issuer);
}

/** Other instances with the same issuer say so again within a minute. */
export async function forgetIssuer(db: Queryable, issuer: string): Promise<void> {
  await db.query(sql`delete from issuers_in_use where issuer = ${issuer}`);
}
