import type { Transactor } from '../../db/database.ts';
import type { AuditAction } from '../../log/actions.ts';
import type { Actor } from '../../log/actor.ts';
import { type AuditRecord, appendRecords } from '../../log/append.ts';

/** Addresses that are written down by themselves within a minute; what more of them do is counted together. */
export const addressesMax = 60;
const minuteMs = 60_000;

type Attempt = {
  /** The account whose e-mail address was typed. What else was typed there may be a password. */
  accountBizId: string | undefined;
  address: string | null;
  /** Addresses of one group are one to us. */
  group: string;
  requestId: string;
};

/** Attempts that are written down together when their minute is over. */
type Count = { address: string | null; sinceMs: number; attempts: number; subjects: Set<string> };

export type FailedSignIns = {
  /** The first of an address is written at once. */
  note(attempt: Attempt): Promise<void>;
  /** Writes what was counted in minutes that are over; at the end of an instance, all of it. */
  flush(db: Transactor, isLast?: boolean): Promise<void>;
};

const unknown = '(unknown)';

function recordOf(
  action: AuditAction,
  subjectId: string,
  attempts: number,
  from: Pick<Actor, 'address' | 'requestId'>,
  occurredAtMs: number,
): AuditRecord {
  return {
    action,
    actor: { type: 'SYSTEM', id: 'sign-in', name: 'Sign-in', ...from },
    institutionId: null,
    workspaceId: null,
    subjectId,
    changes: { attempts: { from: null, to: attempts } },
    occurredAtMs,
  };
}

/** However many try from however many addresses, an instance writes 2 × addressesMax + 1 records a minute. */
export function createFailedSignIns(
  db: Transactor,
  now: () => number,
  action: AuditAction = 'account.sign-in-failed',
): FailedSignIns {
  let counts = new Map<string, Count>();
  let others: Count | undefined;
  const newCount = (address: string | null): Count => ({
    address,
    sinceMs: now(),
    attempts: 0,
    subjects: new Set(),
  });
  const add = (count: Count, subject: string) => {
    count.attempts += 1;
    if (count.subjects.size < 2) count.subjects.add(subject);
  };
  const isOver = ({ sinceMs }: Count) => now() - sinceMs >= minuteMs;
  const write = (to: Transactor, records: readonly AuditRecord[]) =>
    to.transaction((tx) => appendRecords(tx, records));
  return {
    async note({ accountBizId: subject = unknown, address, group, requestId }) {
      const known = counts.get(group);
      if (known !== undefined) return add(known, subject);
      if (counts.size >= addressesMax) {
        others ??= newCount(null);
        return add(others, subject);
      }
      counts.set(group, newCount(group));
      await write(db, [recordOf(action, subject, 1, { address, requestId }, now())]);
    },
    async flush(to, isLast = false) {
      const open = [...counts];
      counts = new Map(open.filter(([, count]) => !isLast && !isOver(count)));
      const due = open.map(([, count]) => count).filter((count) => isLast || isOver(count));
      if (others !== undefined && (isLast || isOver(others))) {
        due.push(others);
        others = undefined;
      }
      const counted = due.filter(({ attempts }) => attempts > 0);
      const records = counted.map(({ subjects, attempts, address }) => {
        const [subject = unknown, ...more] = subjects;
        return recordOf(
          action,
          more.length > 0 ? '(several)' : subject,
          attempts,
          { address, requestId: null },
          now(),
        );
      });
      if (records.length === 0) return;
      await write(to, records).catch((error: unknown) => {
        others ??= newCount(null);
        for (const { attempts } of counted) others.attempts += attempts;
        throw error;
      });
    },
  };
}
