import type { ServerResponse } from 'node:http';
import { bytesPerSecondMin, Pace } from './pace.ts';

/**
 * What is handed to a connection at once, a chunk and the one behind it, shows as taken only when all of it is: whoever takes the least has
 * that long for it.
 */
const atOnceBytes = 128 * 1024;
export const takingTimes = { mostMs: (atOnceBytes / bytesPerSecondMin) * 1000, lookEveryMs: 10_000 };

/** Ends an answer that its client takes too slowly; time in which there is nothing to take is not its own. */
export function watchTaking(answer: ServerResponse, { mostMs, lookEveryMs } = takingTimes): void {
  const { socket } = answer;
  if (socket === null) return;
  const pace = new Pace(mostMs);
  const takenOf = () => socket.bytesWritten - socket.writableLength;
  let before = { atMs: performance.now(), taken: takenOf() };
  const look = () => {
    const now = { atMs: performance.now(), taken: takenOf() };
    if (socket.writableLength > 0) pace.waited(now.atMs - before.atMs);
    pace.moved(now.taken - before.taken);
    before = now;
    if (pace.leftMs <= 0) answer.destroy();
  };
  const timer = setInterval(look, lookEveryMs).unref();
  answer.once('close', () => clearInterval(timer));
}
