import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** What is not written yet is bounded; what is beyond is seen again. */
const pendingMax = 20_000;
/** A sign-in that was seen is not written down again for so long. */
const restMs = 60_000;

type Sighting = { address: string | null; atMs: number };

/** When and from where sign-ins were last seen: collected in memory and written together, not once a request. */
export type Sightings = {
  note(signIn: string, address: string | null, atMs: number): void;
  flush(db: Queryable): Promise<void>;
};

export function createSightings(): Sightings {
  let pending = new Map<string, Sighting>();
  return {
    note(signIn, address, atMs) {
      if (pending.has(signIn) || pending.size < pendingMax) pending.set(signIn, { address, atMs });
    },
    async flush(db) {
      if (pending.size === 0) return;
      const seen = [...pending];
      pending = new Map();
      await writeSightings(db, seen);
    },
  };
}

/** Passes over a sign-in that is just being renewed or ended: nobody waits for this, and it waits for nobody. */
async function writeSightings(db: Queryable, seen: [string, Sighting][]): Promise<void> {
  await db.query(sql`
    with seen as (
      select * from unnest(${seen.map(([id]) => id)}::uuid[], ${seen.map(([, { atMs }]) => atMs / 1000)}::float8[],
        ${seen.map(([, { address }]) => address)}::text[]) as u (id, at, address)
    ), free as (
      select s.id from sign_ins s join seen u on u.id = s.id
      where s.revoked_at is null and s.seen_at < to_timestamp(u.at - ${restMs / 1000}::float8) for update of s skip locked
    )
    update sign_ins s set seen_at = to_timestamp(u.at), ip_address = coalesce(u.address, s.ip_address)
    from seen u where u.id = s.id and s.id in (select id from free)`);
}
