import type { FastifyBaseLogger } from 'fastify';
import { forgetIssuer, issuerOf, noteIssuer } from './auth/portal/issuers-in-use.ts';
import type { Services } from './auth/services.ts';
import type { Queryable, Transactor } from './db/database.ts';
import { countWaiting, createFolder } from './db/tally.ts';
import { createDeliverer, type DeliveryOutcomes } from './delivery/deliverer.ts';
import { createDispatcher } from './delivery/dispatch.ts';
import { countWaitingDeliveries, type WaitingDeliveries } from './delivery/sweep.ts';
import { createCheckpoints } from './log/checkpoints.ts';
import { createSealer, unsealedSeconds } from './log/sealer.ts';
import { type MailOutcomes, noMails } from './mail/delivery.ts';
import { countWaitingMails, type WaitingMails } from './mail/queries.ts';
import { createSender } from './mail/sender.ts';
import type { RequestOutcomes } from './requests/request-log.ts';
import { scanNext } from './resources/files/upkeep.ts';
import type { TaskState } from './resources/probes/readiness.ts';
import { each, sweep, untilDone, type Work } from './sweep.ts';
import { createSettler } from './transfers/settle.ts';

const sweepEveryMs = 60_000;
/** How far behind lastUsedAt may be. */
const flushEveryMs = 5000;
/** What waits is counted with every list request, so it must not become much. */
const foldEveryMs = 200;
/** A record is read soon after it was written; while nothing waits, it costs a look. */
const sealEveryMs = 200;
const checkpointEveryMs = 20_000;
/** A TEST transfer takes two steps, each due after two seconds. */
const settleEveryMs = 1000;
/** For mails of instances that are gone, and for those that are tried again; others wake the sender. */
const mailEveryMs = 5000;

/** For files of instances that are gone, and for those that a scanner was away for; others wake the scan. */
const scanEveryMs = 5000;
/** For events that another instance sealed while a third was at it; the sealer of this one wakes it. */
const dispatchEveryMs = 1000;
/** How far behind the list of requests may be, and what is lost of it when the process is killed. */
const writeEveryMs = 500;
/** For what another instance dispatched, and what is tried again; others wake it. */
const deliverEveryMs = 1000;

export type Maintenance = {
  tasks(): TaskState[];
  deltasWaiting(): Promise<number>;
  unsealedSeconds(): Promise<number>;
  mailsWaiting(): Promise<WaitingMails>;
  mailOutcomes(): MailOutcomes;
  deliveriesWaiting(): Promise<WaitingDeliveries>;
  deliveryOutcomes(): DeliveryOutcomes;
  requestsWaiting(): number;
  requestOutcomes(): RequestOutcomes;
  /** Tells other instances where this one is reached, and warns of those that are reached elsewhere. */
  announce(): Promise<unknown>;
  stop(): Promise<void>;
};

/** Runs a task again and again, one run at a time. */
function repeat(task: TaskState['task'], everyMs: number, work: Work, logger: FastifyBaseLogger) {
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  let isStopped = false;
  let isFailing = false;
  let failures = 0;
  let succeededMs = performance.now();
  const noteFailure = (error: unknown) => {
    if (!isFailing)
      logger.warn({ err: error, task }, 'maintenance failed; it is tried again until it succeeds');
    isFailing = true;
    failures += 1;
  };
  const noteSuccess = () => {
    isFailing = false;
    succeededMs = performance.now();
  };
  const run = () => {
    running ??= work()
      .then(noteSuccess, noteFailure)
      .finally(() => {
        running = undefined;
        if (isAskedAgain) now();
      });
  };
  /** What it has passed by already may be what it is asked for. */
  const now = () => {
    isAskedAgain = running !== undefined;
    if (!isStopped) run();
  };
  const timer = setInterval(run, everyMs);
  timer.unref();
  return {
    state: (): TaskState => ({ task, ageSeconds: (performance.now() - succeededMs) / 1000, failures }),
    now,
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

/** Scans files where a scanner is set. */
function startScanning(services: Services, db: Transactor, logger: FastifyBaseLogger) {
  if (services.files.scan === undefined) return undefined;
  const task = repeat(
    'scan',
    scanEveryMs,
    untilDone(() => scanNext(services, db)),
    logger,
  );
  services.files.onWake(task.now);
  task.now();
  return task;
}

/** Sends mails where a server is set. */
function startMailing(services: Services, db: Transactor, logger: FastifyBaseLogger) {
  if (!services.mail.isOn) return { tasks: [], outcomes: noMails, stop: async () => {} };
  const sender = createSender({ services, db, logger }, services.mail);
  const task = repeat('mail', mailEveryMs, sender.fill, logger);
  services.mail.onWake(task.now);
  task.now();
  return {
    tasks: [task],
    outcomes: sender.outcomes,
    stop: async () => {
      await task.stop();
      await sender.stop();
    },
  };
}

/** Writes down what keys asked for, and warns of what was lost. */
function startWriting({ requestLog }: Services, db: Queryable, logger: FastifyBaseLogger) {
  let told = 0;
  const write = async () => {
    const { dropped } = requestLog.outcomes();
    if (dropped > told)
      logger.warn(
        { count: dropped - told },
        'requests are missing from the list of requests: too many waited',
      );
    told = dropped;
    await requestLog.flush(db);
  };
  const task = repeat('requests', writeEveryMs, write, logger);
  requestLog.onFull(task.now);
  return { ...task, write };
}

/** Hands events to channels and sends what they want. */
function startDelivering(services: Services, db: Transactor, logger: FastifyBaseLogger) {
  const deliverer = createDeliverer({ services, db, logger, wake: () => delivering.now() });
  const delivering = repeat('deliver', deliverEveryMs, deliverer.fill, logger);
  const dispatch = createDispatcher(db, services.now);
  const handOut = async () => {
    if ((await dispatch()) > 0) delivering.now();
  };
  const dispatching = repeat('dispatch', dispatchEveryMs, handOut, logger);
  return {
    tasks: [dispatching, delivering],
    wake: dispatching.now,
    outcomes: deliverer.outcomes,
    stop: async () => {
      await Promise.all([dispatching.stop(), delivering.stop()]);
      await deliverer.stop();
    },
  };
}

/** Behind one address, instances that are reached at several refuse each other's tokens. */
function createAnnouncement({ config, now }: Services, db: Transactor, logger: FastifyBaseLogger): Work {
  const issuer = issuerOf(config);
  return async () => {
    const others = await noteIssuer(db, issuer, now());
    if (others.length > 0)
      logger.warn(
        { issuer, others },
        "PORTICO_PUBLIC_URL differs between instances of this database: they refuse each other's tokens",
      );
  };
}

/** Deletes what has expired, writes down what was used, seals the log, folds the tally, settles TEST transfers, sends mails and delivers events, in every instance. */
export function startMaintenance(
  services: Services,
  db: Transactor,
  logger: FastifyBaseLogger,
  writer: Queryable = db,
): Maintenance {
  const { usage, failedSignIns, refusedCodes, sightings } = services;
  const flush = (isLast = false) =>
    each([
      () => usage.flush(db),
      () => sightings.flush(db),
      () => failedSignIns.flush(db, isLast),
      () => refusedCodes.flush(db, isLast),
    ]);
  const announce = createAnnouncement(services, db, logger);
  const sweeping = repeat('sweep', sweepEveryMs, () => each([() => sweep(services, db), announce]), logger);
  const flushing = repeat('flush', flushEveryMs, () => flush(), logger);
  const folding = repeat('fold', foldEveryMs, createFolder(db), logger);
  const seal = createSealer(db);
  const delivering = startDelivering(services, db, logger);
  const sealing = repeat('seal', sealEveryMs, () => seal().then(delivering.wake), logger);
  const checkpoint = createCheckpoints(db, services.signCheckpoint, services.now);
  const signing = repeat('checkpoint', checkpointEveryMs, checkpoint, logger);
  const settling = repeat('settle', settleEveryMs, createSettler(db, services.now), logger);
  const mailing = startMailing(services, db, logger);
  const scanning = startScanning(services, db, logger);
  const writing = startWriting(services, writer, logger);
  const atEnd = (work: Work, left: string) => work().catch((err: unknown) => logger.warn({ err }, left));
  return {
    tasks: () =>
      [
        folding,
        sealing,
        signing,
        settling,
        sweeping,
        flushing,
        writing,
        ...mailing.tasks,
        ...delivering.tasks,
        ...(scanning ? [scanning] : []),
      ].map((task) => task.state()),
    deltasWaiting: () => countWaiting(db),
    unsealedSeconds: () => unsealedSeconds(db, services.now()),
    mailsWaiting: () => countWaitingMails(db, services.now()),
    mailOutcomes: mailing.outcomes,
    deliveriesWaiting: () => countWaitingDeliveries(db, services.now()),
    deliveryOutcomes: delivering.outcomes,
    requestsWaiting: services.requestLog.waiting,
    requestOutcomes: services.requestLog.outcomes,
    announce,
    async stop() {
      void scanning?.stop(); // one that is broken off is done again by who finds it
      void folding.stop(); // one that is broken off is undone by the database, and done again by the next
      const tasks = [sweeping, flushing, settling, sealing, signing, mailing, delivering, writing];
      await Promise.all(tasks.map((task) => task.stop()));
      await atEnd(
        () => flush(true),
        'the last uses of keys and sign-ins, or failed sign-ins, were not written',
      );
      await atEnd(writing.write, 'the last requests were not written down');
      await atEnd(
        () => forgetIssuer(db, issuerOf(services.config)),
        'others may take this instance for alive',
      );
      await atEnd(seal, 'the last records of the log were not sealed');
      await atEnd(() => checkpoint({ isLast: true }), 'the log was left without a last checkpoint');
    },
  };
}
