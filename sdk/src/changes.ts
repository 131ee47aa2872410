import type { CallOptions } from './call-options.ts';
import type { NestedPage } from './envelope.ts';
import { lookBackSeconds } from './keeping-in-step.ts';
import { pause } from './pause.ts';
import type { Transfer, TransferQuery } from './records.ts';
import type { SignedCaller } from './signed-caller.ts';
import { queryString } from './wire.ts';

export type ChangesQuery = {
  /** The cursor of the last change that was taken, or any time of the service. Left out: from the first on. */
  since?: string | undefined;
  /** Goes on asking after each such pause, until the signal ends it; else it ends with the last change there is. */
  everyMs?: number | undefined;
};

/** `cursor` is what to go on from once this change and those before it are kept. */
export type Change = { transfer: Transfer; cursor: string };

const size = 100;

const later = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString();
const earlier = (a: string, b: string) => (a < b ? a : b);

/** What was given already of the time that is read again. Every time is of the service, and compares as a text. */
class Given {
  readonly #updatedAt = new Map<string, string>();

  isNew({ transferId, updatedAt }: Transfer): boolean {
    if (this.#updatedAt.get(transferId) === updatedAt) return false;
    this.#updatedAt.delete(transferId); // to stand last again, so that the oldest stand first
    this.#updatedAt.set(transferId, updatedAt);
    return true;
  }

  forgetBefore(time: string): void {
    for (const [transferId, updatedAt] of this.#updatedAt) {
      if (updatedAt >= time) return;
      this.#updatedAt.delete(transferId);
    }
  }
}

type Page = { content: Transfer[]; totalPages: number; timestamp: string };
type Ask = (query: TransferQuery & { page?: number }) => Promise<Page>;

/** All that share a millisecond, from the last page to the first: what changes meanwhile moves the rest towards pages that are still to come. */
async function* millisecond(ask: Ask, time: string): AsyncGenerator<Transfer[], void, undefined> {
  const window = { updatedFrom: time, updatedTo: later(time, 1) };
  const { totalPages } = await ask(window);
  for (let page = totalPages - 1; page >= 0; page--) yield (await ask({ ...window, page })).content;
}

/** Everything from a time on, page by page; each page is the first after the last record of the one before, as pages that are counted shift. */
async function* pass(
  ask: Ask,
  from: string | undefined,
): AsyncGenerator<[Transfer[], string], void, undefined> {
  let begun: string | undefined;
  for (let at = from; ; ) {
    const { content, timestamp } = await ask(at === undefined ? {} : { updatedFrom: at });
    begun ??= timestamp;
    yield [content, begun];
    const [first, last] = [content[0]?.updatedAt, content.at(-1)?.updatedAt];
    if (last === undefined || content.length < size) return;
    at = last;
    if (first !== last) continue;
    for await (const others of millisecond(ask, last)) yield [others, begun];
    at = later(last, 1);
  }
}

/** As docs/keeping-in-step.md says it; the cursor is its mark. */
export async function* changesOf(
  caller: SignedCaller,
  path: string,
  { since, everyMs }: ChangesQuery,
  options: CallOptions,
): AsyncGenerator<Change, void, undefined> {
  const ask: Ask = async (query) => {
    const target = `${path}${queryString({ sort: 'updatedAt,asc', size, ...query })}`;
    const { data, timestamp } = (await caller.read<NestedPage<Transfer>>(target, options)).data;
    return {
      content: data.content,
      totalPages: data.page.totalPages,
      timestamp: new Date(timestamp).toISOString(),
    };
  };
  const given = new Given();
  let cursor = since === undefined ? undefined : later(since, 0);
  const lookBack = () => (cursor === undefined ? undefined : later(cursor, -lookBackSeconds * 1000));
  for (;;) {
    for await (const [content, begun] of pass(ask, lookBack())) {
      for (const transfer of content.filter((each) => given.isNew(each))) {
        const mark = earlier(transfer.updatedAt, begun);
        cursor = cursor === undefined || mark > cursor ? mark : cursor;
        yield { transfer, cursor };
      }
      given.forgetBefore(lookBack() ?? '');
    }
    if (everyMs === undefined) return;
    await pause(everyMs, options.signal);
  }
}
