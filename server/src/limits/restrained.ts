const afterFailureMs = 1000;

/** One run at a time, shared by all who ask meanwhile; after it a rest, in which asking does nothing. */
export function restrained(
  restMs: number,
  now: () => number,
  work: () => Promise<void>,
): () => Promise<void> {
  let underway: Promise<void> | undefined;
  let restUntilMs = Number.NEGATIVE_INFINITY;
  const run = async () => {
    try {
      await work();
      restUntilMs = now() + restMs;
    } catch (error) {
      restUntilMs = now() + afterFailureMs;
      throw error;
    } finally {
      underway = undefined;
    }
  };
  return () => {
    if (underway === undefined && now() < restUntilMs) return Promise.resolve();
    underway ??= run();
    return underway;
  };
}
