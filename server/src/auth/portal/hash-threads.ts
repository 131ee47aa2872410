import { Worker } from 'node:worker_threads';
import { StoreUnavailable } from '../../db/unavailable.ts';

/** Argon2id with the parameters OWASP recommends; the library's default algorithm is argon2id. */
export const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * The longest that Linux has. Whoever wakes up breaks it off at once; the end of one of the usual length it waits for, whatever the
 * niceness, and then for the next tick of the clock.
 */
const sliceNs = 100_000_000;

/** A thread needs little of its own; the memory that Argon2 works in is not counted here. */
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 };

/** Makes a hash of a password, or compares it with one that is stored. */
export type Job = { password: string; stored?: string };
type Answer = { result: string | boolean } | { error: string };

/** Threads of their own: those of Node are for checking tokens, looking up names and reading files. */
export type HashThreads = {
  /** On a thread that is idle, or a new one: who calls sees to it that there are not too many at once. */
  run(job: Job): Promise<string | boolean>;
  close(): Promise<void>;
};

/** `niceness` is how far they stand behind the thread that answers requests, and the database. */
export function createHashThreads({
  file = new URL('./hash-thread.cjs', import.meta.url),
  niceness = 0,
}: {
  file?: URL;
  niceness?: number;
}): HashThreads {
  const threads = new Set<Worker>();
  const idle: Worker[] = [];
  const start = () => {
    const thread = new Worker(file, {
      ...{ execArgv: [], env: {}, resourceLimits },
      workerData: { parameters, niceness, sliceNs },
    });
    threads.add(thread);
    thread.on('error', () => {}); // whoever waits for it is told below
    thread.on('exit', () => {
      threads.delete(thread);
      const index = idle.indexOf(thread);
      if (index >= 0) idle.splice(index, 1);
    });
    return thread;
  };
  const ask = (thread: Worker, job: Job) =>
    new Promise<Answer>((resolve, reject) => {
      const lost = (cause: unknown) => reject(new StoreUnavailable('a thread for hashing ended', { cause }));
      thread.once('error', lost);
      thread.once('exit', lost);
      thread.once('message', (answer: Answer) => {
        thread.off('error', lost).off('exit', lost);
        resolve(answer);
      });
      thread.postMessage(job);
    });
  return {
    async run(job) {
      const thread = idle.pop() ?? start();
      thread.ref(); // the process waits for what is being worked on, and for nothing else of it
      const answer = await ask(thread, job);
      thread.unref();
      // One that has ended meanwhile would never answer.
      if (threads.has(thread)) idle.push(thread);
      if ('error' in answer) throw new Error(answer.error);
      return answer.result;
    },
    close: async () => void (await Promise.all([...threads].map((thread) => thread.terminate()))),
  };
}
