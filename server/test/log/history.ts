import pg from 'pg';
import type { Database } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';
import { type AuditRecord, append } from '../../src/log/append.ts';
import type { Connection } from '../global-setup.ts';
import type { Random } from '../tally/writers.ts';

export const recordOf = (subjectId: string): AuditRecord => ({
  action: 'api-key.changed',
  actor: {
    type: 'ACCOUNT',
    id: 'ACC_DEMO_OWNER',
    name: 'Demo Owner',
    address: '203.0.113.7',
    requestId: 'r',
  },
  institutionId: 1,
  workspaceId: 1,
  subjectId,
  changes: { name: { from: 'a', to: 'b' } },
  occurredAtMs: Date.now(),
});

class RolledBack extends Error {}

/** When rows were appended and when their commit was acknowledged, by a clock that ticks with every event. */
type Written = { began: number; ended: number };
export type History = { tick: number; committed: Map<string, Written>; undone: Set<string> };

/** Transactions of one to three rows that overlap, each with work between append and commit, every fourth of them rolled back. */
export async function write(
  db: Database,
  history: History,
  name: string,
  random: Random,
  rows: number,
  make = recordOf,
) {
  for (let made = 0; made < rows; ) {
    const subjects = Array.from({ length: 1 + random(3) }, (_, index) => `${name}-${made + index}`);
    made += subjects.length;
    const isUndone = random(4) === 0;
    let began = 0;
    const work = db.transaction(async (tx) => {
      history.tick += 1;
      began = history.tick;
      await tx.query(append(subjects.map((subject) => make(subject))));
      if (random(2) === 0) await tx.query(sql`select pg_sleep(${random(8) / 1000})`);
      if (isUndone) throw new RolledBack();
    });
    await work.catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
    history.tick += 1;
    for (const subject of subjects)
      if (isUndone) history.undone.add(subject);
      else history.committed.set(subject, { began, ended: history.tick });
  }
}

/** Seals in small batches, on a connection that is killed again and again; gives how often it was. */
export async function sealUnderFire(connection: Connection, random: Random, isDone: () => boolean) {
  const assassin = new pg.Client(connection);
  await assassin.connect();
  let killed = 0;
  while (!isDone()) {
    const sealer = new pg.Client(connection);
    sealer.on('error', () => {});
    await sealer.connect();
    const { rows } = await sealer.query<{ pid: number }>('select pg_backend_pid() as pid');
    const sealing = (async () => {
      while (!isDone()) await sealer.query('select audit_seal($1)', [1 + random(60)]);
    })().catch(() => {});
    await assassin.query('select pg_sleep($1)', [random(40) / 1000]);
    const shot = await assassin.query<{ hit: boolean }>('select pg_terminate_backend($1) as hit', [
      rows[0]?.pid,
    ]);
    if (shot.rows[0]?.hit) killed += 1;
    await sealing;
    await sealer.end().catch(() => {});
  }
  await assassin.end();
  return killed;
}

/** Rows that come before one that was committed before they were even begun. */
export function outOfOrder(seen: readonly { subjectId: string }[], { committed }: History): string[] {
  let latestBegin = 0;
  return seen.flatMap(({ subjectId }) => {
    const { began, ended } = committed.get(subjectId) ?? { began: 0, ended: 0 };
    const isLate = ended < latestBegin;
    latestBegin = Math.max(latestBegin, began);
    return isLate ? [subjectId] : [];
  });
}

export type Seen = { sequence: number; subjectId: string };

/** Follows the log, always asking for what comes after the last it saw, until it has seen as much as was written. */
export async function follow(db: Database, from: number, isDone: (seen: number) => boolean): Promise<Seen[]> {
  const seen: Seen[] = [];
  while (!isDone(seen.length)) {
    const after = seen.at(-1)?.sequence ?? from;
    seen.push(
      ...(await db.query<Seen>(sql`
        select sequence, subject_id as "subjectId" from audit_log where sequence > ${after} order by sequence limit 100`)),
    );
  }
  return seen;
}
