import type { Overview } from '@portico/sdk/portal';

/** The filter of requests that leads from a count to what was counted: days of UTC, as every list has them. */
export type Since = { from: string };

export const sinceOf = ({ from }: Overview): Since => ({ from: from.slice(0, 10) });
