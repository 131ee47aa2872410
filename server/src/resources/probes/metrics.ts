import { readFileSync } from 'node:fs';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Readiness } from './readiness.ts';

const description = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
const { version } = JSON.parse(description) as { version: string }; // our own

/** From a lookup by key to the longest a statement may take. */
const databaseBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30];

function gauge(
  registry: Registry,
  name: string,
  help: string,
  labelNames: string[],
  collect: (set: (labels: Record<string, string>, value: number) => void) => void | Promise<void>,
): void {
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      this.reset();
      await collect((labels, value) => this.set(labels, value));
    },
  });
}

/** Whoever asks when the database is away still wants the rest. */
function asked(registry: Registry, name: string, help: string, ask: () => Promise<number>): void {
  gauge(registry, name, help, [], async (set) => {
    const value = await ask().catch(() => undefined);
    if (value !== undefined) set({}, value);
  });
}

function measureDatabase(registry: Registry, { databases }: Readiness): void {
  const duration = new Histogram({
    name: 'portico_database_seconds',
    help: 'Time from asking for a connection to the answer, by lane.',
    labelNames: ['lane'],
    buckets: databaseBuckets,
    registers: [registry],
  });
  for (const { watch } of databases) watch((lane, ms) => duration.observe({ lane }, ms / 1000));
  const lanes = () => databases.flatMap((database) => database.lanes());
  gauge(
    registry,
    'portico_pool_connections',
    'Open connections, by lane and state.',
    ['lane', 'state'],
    (set) => {
      for (const { lane, busy, idle } of lanes()) {
        set({ lane, state: 'busy' }, busy);
        set({ lane, state: 'idle' }, idle);
      }
    },
  );
  gauge(registry, 'portico_pool_waiting', 'Work that waits for its turn, by lane.', ['lane'], (set) => {
    for (const { lane, waiting } of lanes()) set({ lane }, waiting);
  });
}

function measureRedis(registry: Registry, { stores }: Readiness): void {
  const duration = new Histogram({
    name: 'portico_redis_seconds',
    help: 'Time of a command to Redis.',
    buckets: databaseBuckets,
    registers: [registry],
  });
  stores.watch((ms) => duration.observe(ms / 1000));
}

function measureTasks(registry: Registry, readiness: Readiness): void {
  gauge(
    registry,
    'portico_task_age_seconds',
    'Time since a task of the background last succeeded.',
    ['task'],
    (set) => {
      for (const { task, ageSeconds } of readiness.tasks()) set({ task }, ageSeconds);
    },
  );
  new Counter({
    name: 'portico_task_failures_total',
    help: 'Failed runs of a task of the background.',
    labelNames: ['task'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { task, failures } of readiness.tasks()) this.inc({ task }, failures);
    },
  });
  asked(
    registry,
    'portico_tally_deltas_waiting',
    'Changes that are not yet in the totals.',
    readiness.deltasWaiting,
  );
  asked(
    registry,
    'portico_log_unsealed_seconds',
    'Age of the oldest record of the log that is not sealed; 0: none.',
    readiness.unsealedSeconds,
  );
}

function measureMails(registry: Registry, { mailsWaiting, mailOutcomes }: Readiness): void {
  asked(
    registry,
    'portico_mails_waiting',
    'Mails that are not sent yet.',
    async () => (await mailsWaiting()).count,
  );
  asked(
    registry,
    'portico_mails_oldest_seconds',
    'Age of the oldest mail that is not sent; 0: none.',
    async () => (await mailsWaiting()).oldestSeconds,
  );
  new Counter({
    name: 'portico_mails_total',
    help: 'Mails sent, attempts that failed, and mails given up after refusals.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(mailOutcomes())) this.inc({ outcome }, count);
    },
  });
}

function measureDeliveries(registry: Registry, { deliveriesWaiting, deliveryOutcomes }: Readiness): void {
  asked(
    registry,
    'portico_deliveries_waiting',
    'Deliveries to channels that are to be made, whenever that is; counted to 10000.',
    async () => (await deliveriesWaiting()).count,
  );
  asked(
    registry,
    'portico_deliveries_oldest_seconds',
    'How long the oldest delivery is due of channels whose receivers answer; 0: none.',
    async () => (await deliveriesWaiting()).oldestSeconds,
  );
  new Counter({
    name: 'portico_deliveries_total',
    help: 'Deliveries that arrived, attempts that failed, and deliveries given up.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(deliveryOutcomes())) this.inc({ outcome }, count);
    },
  });
}

function measureRequestLog(registry: Registry, { requestsWaiting, requestOutcomes }: Readiness): void {
  gauge(
    registry,
    'portico_request_log_waiting',
    'Signed requests that are not in the list of requests yet.',
    [],
    (set) => set({}, requestsWaiting()),
  );
  new Counter({
    name: 'portico_request_log_total',
    help: 'Signed requests that were written to the list of requests, and those that were dropped as too many waited.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(requestOutcomes())) this.inc({ outcome }, count);
    },
  });
}

/** What is measured beside requests: the build, the database, Redis, the work in the background, mails, deliveries and the list of requests. */
export function measureService(registry: Registry, readiness: Readiness): void {
  gauge(registry, 'portico_build_info', 'Always 1; the labels tell what runs.', ['version', 'node'], (set) =>
    set({ version, node: process.version }, 1),
  );
  measureDatabase(registry, readiness);
  measureRedis(registry, readiness);
  measureTasks(registry, readiness);
  measureMails(registry, readiness);
  measureDeliveries(registry, readiness);
  measureRequestLog(registry, readiness);
}
