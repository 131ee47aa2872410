import { ApiError } from '../../contract/api-error.ts';
import type { Database, Watched } from '../../db/database.ts';
import { StoreRefused, StoreUnavailable } from '../../db/unavailable.ts';
import type { DeliveryOutcomes } from '../../delivery/deliverer.ts';
import type { WaitingDeliveries } from '../../delivery/sweep.ts';
import type { MailOutcomes } from '../../mail/delivery.ts';
import type { WaitingMails } from '../../mail/queries.ts';
import type { RequestOutcomes } from '../../requests/request-log.ts';

/** Work that is done again and again in the background; its age is the time since it last succeeded. */
export type TaskState = {
  task:
    | 'fold'
    | 'sweep'
    | 'flush'
    | 'seal'
    | 'checkpoint'
    | 'settle'
    | 'mail'
    | 'scan'
    | 'dispatch'
    | 'deliver'
    | 'requests';
  ageSeconds: number;
  failures: number;
};

export type Readiness = {
  isDraining(): boolean;
  /** Redis, or what stands in its place. */
  stores: { check(): Promise<void>; watch(listener: (ms: number) => void): void };
  tasks(): TaskState[];
  deltasWaiting(): Promise<number>;
  /** How long the oldest record of the log has waited to be sealed. */
  unsealedSeconds(): Promise<number>;
  mailsWaiting(): Promise<WaitingMails>;
  mailOutcomes(): MailOutcomes;
  deliveriesWaiting(): Promise<WaitingDeliveries>;
  deliveryOutcomes(): DeliveryOutcomes;
  /** Of the list of requests: not written yet, and what became of the others. */
  requestsWaiting(): number;
  requestOutcomes(): RequestOutcomes;
  databases: readonly Watched[];
};

const missing = (what: string) => new ApiError('5030', what, { headers: { 'retry-after': '1' } });

async function orMissing<Value>(work: Promise<Value>, what: string): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StoreRefused) throw missing(error.advice);
    throw error instanceof StoreUnavailable ? missing(what) : error;
  }
}

/** Refuses with what is missing for the service to answer everything it can be asked. */
export async function requireReady(
  readiness: Readiness,
  db: Pick<Database, 'check' | 'checkWrite'>,
): Promise<void> {
  if (readiness.isDraining()) throw missing('the service is stopping');
  const health = await orMissing(db.check(), 'the database does not answer');
  if (!health.isMigrated)
    throw missing(
      'the database shows no tables of the service: another search_path or no use of the schema for its role, or they are gone',
    );
  if (health.isReadOnly) throw missing('the database is read-only');
  if (!health.isAllowed) throw missing('the role of the service lacks privileges on its tables');
  await orMissing(
    db.checkWrite(),
    'the database can be read, but a write does not end: look for a standby that it waits for (synchronous_standby_names), and at its disk',
  );
  await orMissing(readiness.stores.check(), 'Redis does not answer, or takes no writes');
}
