import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Shares } from '../queue/fair-queue.ts';
import { createTurns } from './turns.ts';

/** Also when nobody waits for it any more. */
const answerOut = ({ raw }: FastifyReply) =>
  new Promise<void>((resolve) => {
    if (raw.destroyed) resolve();
    else raw.once('close', resolve);
  });

/** Begins when the answer is out, so that no answer tells how much there was to do. The service ends after it. */
export function createAfterAnswer(app: FastifyInstance, what: string, shares: Shares) {
  const inTurn = createTurns(what, shares);
  const underway = new Set<Promise<void>>();
  app.addHook('onClose', async () => void (await Promise.all(underway)));
  return (reply: FastifyReply, household: string, work: () => Promise<void>): void => {
    const done = answerOut(reply)
      .then(() => inTurn(household, work))
      .catch((err: unknown) => reply.log.warn({ err }, `${what}: what follows the answer failed`))
      .finally(() => underway.delete(done));
    underway.add(done);
  };
}
