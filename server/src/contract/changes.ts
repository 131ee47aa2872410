import { isDeepStrictEqual } from 'node:util';

/** What became of each field, as the log tells it. */
export type Changes = { [field: string]: { from: unknown; to: unknown } };

/** Stands for a secret, which is in no record. */
export const aSecret = '(secret)';

type Fields = { [field: string]: unknown };

/** The fields that are no longer what they were. One that was not there was null. */
export function changesOf(before: Fields, after: Fields): Changes {
  const entries = Object.entries(after).map(
    ([field, to]) => [field, { from: before[field] ?? null, to }] as const,
  );
  return Object.fromEntries(entries.filter(([, { from, to }]) => !isDeepStrictEqual(from, to)));
}
