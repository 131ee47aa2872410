import { ApiError } from '../contract/api-error.ts';
import { Crowded, createFairQueue, type Shares } from '../queue/fair-queue.ts';

/** Does the work when it is the household's turn, and tells it whether others still wait for theirs. */
export type Turns = <Result>(
  household: string,
  work: (isAwaited: boolean) => Promise<Result>,
) => Promise<Result>;

/** For one's own share 4290, for everyone's 5030; either is over soon. */
function refusalOf({ share }: Crowded, what: string): ApiError {
  const code = share === 'own' ? '4290' : '5030';
  return new ApiError(code, `too many ${what} at once; try again in 1 s`, {
    headers: { 'retry-after': '1' },
  });
}

/**
 * Households take turns at something scarce. Who finds no place to wait is refused, and told when to come back. A place may
 * rest after each turn, so that one who comes again and again leaves time for others.
 */
export function createTurns(what: string, { pauseMs, ...shares }: Shares & { pauseMs?: number }): Turns {
  const queue = createFairQueue(shares);
  return async (household, work) => {
    const leave = await queue.enter(household).catch((error: unknown) => {
      throw error instanceof Crowded ? refusalOf(error, what) : error;
    });
    try {
      return await work(queue.waiting() > 0);
    } finally {
      if (pauseMs === undefined) leave();
      else setTimeout(leave, pauseMs).unref();
    }
  };
}
