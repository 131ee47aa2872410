import { setFlagsFromString } from 'node:v8';

/** How much of the room for new objects V8 fills before it collects, in percent: its own choice, and a quarter. */
const filledMax = { usual: 80, short: 25 };
const lookEveryMs = 100;

/**
 * While someone keeps the service busy beside others, many short pauses of the collector hold these up less than a few long ones.
 * Otherwise a few are cheaper, as what is under way is copied in each.
 */
export function shortenPauses(isWanted: () => boolean): { end(): void } {
  let isShort = false;
  const set = (wanted: boolean) => {
    if (wanted === isShort) return;
    isShort = wanted;
    setFlagsFromString(`--minor-gc-task-trigger=${filledMax[isShort ? 'short' : 'usual']}`);
  };
  const timer = setInterval(() => set(isWanted()), lookEveryMs).unref();
  return {
    end() {
      clearInterval(timer);
      set(false); // it is the whole process's
    },
  };
}
