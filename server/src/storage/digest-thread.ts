import { Worker } from 'node:worker_threads';
import { StorageFailure } from './failure.ts';

export type Message = { id: number; path: string; upTo: number; step: 'go on' | 'end' | 'drop' };
type Answer = { id: number; sha256: string } | { id: number; error: string };
type Waiting = { resolve(sha256: string): void; reject(error: Error): void };

/** A file that is being written, and hashed behind its end. */
export type Following = {
  /** So many bytes of it are written. */
  goOn(upTo: number): void;
  /** The SHA-256 of as many, in hexadecimal. */
  end(upTo: number): Promise<string>;
  drop(): void;
};

/** A thread needs little of its own. */
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 };

/**
 * Hashes files beside the thread that receives them: without instructions for it, SHA-256 takes longer than all else that an upload
 * is. It reads what was just written, so that no bytes have to be handed over and none wait in memory.
 */
export class DigestThread {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private count = 0;

  follow(path: string): Following {
    this.count += 1;
    const id = this.count;
    const answer = new Promise<string>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    // Heard where it is awaited, which may be later, or never when the upload breaks off.
    answer.catch(() => {});
    const worker = this.worker ?? this.start();
    worker.ref(); // the process waits for what is being worked on, and for nothing else of it
    const post = (step: Message['step'], upTo: number) => {
      worker.postMessage({ id, path, upTo, step } satisfies Message);
    };
    return {
      goOn: (upTo) => post('go on', upTo),
      end: (upTo) => {
        post('end', upTo);
        return answer;
      },
      drop: () => {
        this.settle(id);
        post('drop', 0);
      },
    };
  }

  private start(): Worker {
    const file = new URL('./digest-thread.cjs', import.meta.url);
    const worker = new Worker(file, { execArgv: [], env: {}, resourceLimits });
    this.worker = worker;
    const lost = (cause: unknown) => {
      if (this.worker === worker) this.worker = undefined;
      const all = [...this.waiting.values()];
      this.waiting.clear();
      for (const { reject } of all)
        reject(new StorageFailure('the thread that hashes files ended', { cause }));
    };
    worker.on('error', lost).on('exit', lost);
    worker.on('message', (answer: Answer) => this.hand(answer));
    return worker;
  }

  private settle(id: number): Waiting | undefined {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (this.waiting.size === 0) this.worker?.unref();
    return waiting;
  }

  private hand(answer: Answer): void {
    const waiting = this.settle(answer.id);
    if ('error' in answer) waiting?.reject(new StorageFailure(answer.error));
    else waiting?.resolve(answer.sha256);
  }
}
