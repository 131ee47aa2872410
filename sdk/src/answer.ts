import type { Envelope } from './envelope.ts';

/** What the service allows, and what is left of it, by the RateLimit fields of the answer. */
export type RateLimit = {
  policy: string;
  /** Calls that may be made at once. */
  limit: number;
  remaining: number;
  /** Until all of it is there again. */
  resetSeconds: number;
};

/** What an answer says beside its data. */
export type ResponseInfo = {
  status: number;
  headers: Headers;
  /** Finds the request in the service's log. */
  requestId: string | undefined;
  /** Undefined where no limit was counted. */
  rateLimit: RateLimit | undefined;
  /** An earlier attempt under the same idempotency key had done it already. */
  isReplay: boolean;
};

export type Answered<Data> = { data: Data; response: ResponseInfo };

function numberIn(field: string | null, parameter: string): number {
  return Number(new RegExp(`;\\s*${parameter}=(\\d+)`).exec(field ?? '')?.[1] ?? Number.NaN);
}

function rateLimitOf(headers: Headers): RateLimit | undefined {
  const [left, policy] = [headers.get('ratelimit'), headers.get('ratelimit-policy')];
  const rateLimit = {
    policy: /^"([^"]*)"/.exec(left ?? '')?.[1] ?? '',
    limit: numberIn(policy, 'q'),
    remaining: numberIn(left, 'r'),
    resetSeconds: numberIn(left, 't'),
  };
  return Object.values(rateLimit).some(Number.isNaN) ? undefined : rateLimit;
}

export function responseInfoOf({ status, headers }: Response): ResponseInfo {
  return {
    status,
    headers,
    requestId: headers.get('x-request-id') ?? undefined,
    rateLimit: rateLimitOf(headers),
    isReplay: headers.get('idempotent-replayed') === 'true',
  };
}

/** A promise of the data alone; `withResponse` gives what came with it. */
export class Answer<Data> extends Promise<Data> {
  readonly #whole: Promise<Answered<Data>>;

  constructor(whole: Promise<Answered<Data>>) {
    super((resolve, reject) => {
      whole.then(({ data }) => resolve(data), reject);
    });
    this.#whole = whole;
  }

  withResponse(): Promise<Answered<Data>> {
    // Whoever waits for the whole is told of its failure there, and not a second time as of one that nobody handles.
    this.catch(() => {});
    return this.#whole;
  }

  /** What follows is made of executors, which this constructor does not take. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }
}

export function mapped<From, To>(whole: Promise<Answered<From>>, change: (data: From) => To): Answer<To> {
  return new Answer(whole.then(({ data, response }) => ({ data: change(data), response })));
}

export function dataOf<Data>(whole: Promise<Answered<Envelope<Data>>>): Answer<Data> {
  return mapped(whole, ({ data }) => data);
}
