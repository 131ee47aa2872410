import type { Mode } from '../catalogues.ts';

/** A signed request, as the workspace of its key sees it. */
export type RequestRecord = {
  /** The X-Request-Id of its answer. */
  requestId: string;
  occurredAt: string;
  apiKeyId: string;
  apiKeyName: string;
  mode: Mode;
  method: string;
  /** As the API description has it, such as /api/v1/transfers/{transferId}; none: there is no such endpoint. */
  route: string;
  /** Of HTTP. */
  status: number;
  /** 2000, or that of the error it was answered with. */
  code: string;
  durationMs: number;
  /** Null: it cannot be read. */
  ipAddress: string | null;
};

export type RequestDetail = RequestRecord & {
  /** What the code means; null: it was not refused. */
  reason: { name: string; description: string } | null;
};

export type RequestFilters = {
  apiKeyId?: string;
  /** 1 or LIVE, 2 or TEST; both when it is absent. */
  mode?: string;
  code?: string;
  /** 2xx, 4xx or 5xx. */
  statusClass?: string;
  requestId?: string;
  /** Inclusive. */
  from?: string;
  /** Exclusive. */
  to?: string;
};
