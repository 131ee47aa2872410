import { afterAll, beforeAll, describe } from 'vitest';
import { openWorld, type World, type WorldOptions } from '../world.ts';

/** A workspace takes 50 keys and channels, and a suite makes up to eight of them. */
const together = 6;

/** Opens one world for several suites: a world for each would take longer than what is done in it. */
export function inSharedWorlds<Case>(
  cases: readonly Case[],
  suite: (each: Case, world: () => World) => void,
  options: WorldOptions = {},
): void {
  for (let first = 0; first < cases.length; first += together)
    describe(`world ${first / together + 1}`, () => {
      let world: World;
      beforeAll(async () => {
        world = await openWorld(options);
      });
      afterAll(() => world.close());
      for (const each of cases.slice(first, first + together)) suite(each, () => world);
    });
}
