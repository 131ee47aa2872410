import type { AttentionKind, Mode } from '../catalogues.ts';

export type OverviewQuery = {
  /** 1, 7 (the default) or 30. */
  days?: number;
  /** By code or by name; both modes when it is absent. */
  mode?: string;
};

/** What wants someone to look at it. */
export type Attention = {
  kind: AttentionKind;
  /** Of the key, the channel or the account. */
  subjectId: string;
  /** Name of the key or the channel, e-mail address of the account. */
  name: string;
  /** Null: an account has none. */
  mode: Mode | null;
  /** When the key or the previous secret ends, when the key was last used, since when the channel fails. */
  at: string | null;
  message: string;
};

/** What happened lately: calls of every key, by time, by key and by code. */
export type Overview = {
  from: string;
  to: string;
  /** How long each interval of the series is. */
  intervalSeconds: number;
  /** Calls include the refused (4xx) and the failed (5xx). */
  totals: { calls: number; refused: number; failed: number };
  /** Every interval, also those without calls. */
  series: { at: string; ok: number; refused: number; failed: number }[];
  codes: { code: string; count: number }[];
  keys: {
    apiKeyId: string;
    name: string;
    mode: Mode;
    calls: number;
    refused: number;
    failed: number;
    lastUsedAt: string | null;
  }[];
  /** Null: there was no call. */
  latency: { p50Ms: number | null; p95Ms: number | null };
  attention: Attention[];
};
