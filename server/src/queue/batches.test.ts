import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createBatches } from './batches.ts';

const bounds = { waitingMax: 100, waitingEach: 50, waitMs: 60_000 };

/** Batches that end when the test says so. */
function open({ sizeMax = 3, atOnceMax = 2 } = {}) {
  const begun: { items: readonly string[]; end(): void; fail(error: Error): void }[] = [];
  const batches = createBatches<string, string>({
    sizeMax,
    atOnceMax,
    waiting: bounds,
    nameOf: (item) => item.slice(0, 1),
    work: (items) =>
      new Promise((resolve, reject) => {
        const end = () => resolve(items.map((item) => `${item}!`));
        begun.push({ items, end, fail: reject });
      }),
  });
  const turns = async () => {
    for (let count = 0; count < 5; count += 1) await turn();
  };
  /** For one whose turn may never come: the queue refuses it when the test is long over. */
  const ask = (household: string, item: string) => {
    batches.run(household, '', item).catch(() => {});
  };
  return { begun, turns, ask, run: batches.run };
}

describe('batches', () => {
  it('take what comes together at once, and give each its own result', async () => {
    const { begun, turns, run } = open();
    const results = ['a', 'b', 'c'].map((item) => run(item, '', item));
    await turns();
    expect(begun.map(({ items }) => items)).toEqual([['a', 'b', 'c']]);
    begun[0]?.end();
    expect(await Promise.all(results)).toEqual(['a!', 'b!', 'c!']);
  });

  it('begin with one that comes alone, and gather those that come while as many as may be are under way', async () => {
    const { begun, turns, ask } = open();
    for (const item of ['a', 'b', 'c', 'd', 'e', 'f']) {
      ask(item, item);
      await turns();
    }
    expect(begun.map(({ items }) => items)).toEqual([['a'], ['b']]);
    begun[1]?.end();
    await turns();
    expect(begun.map(({ items }) => items)).toEqual([['a'], ['b'], ['c', 'd', 'e']]);
  });

  it('begin with one that comes while none is under way before the turn of the event loop is over', async () => {
    const { begun, ask } = open();
    const turnIsOver = turn();
    ask('a', 'a');
    await turnIsOver;
    expect(begun.map(({ items }) => items)).toEqual([['a']]);
  });

  it('never hold two of one name, and lose neither', async () => {
    const { begun, turns, run } = open();
    const results = ['a1', 'a2', 'b1'].map((item) => run('one', '', item));
    await turns();
    expect(begun.map(({ items }) => items)).toEqual([['a1', 'b1'], ['a2']]);
    for (const { end } of begun) end();
    expect(await Promise.all(results)).toEqual(['a1!', 'a2!', 'b1!']);
  });

  it('fail for those in them and go on with the next', async () => {
    const { begun, turns, run } = open({ atOnceMax: 1 });
    const lost = ['a', 'b'].map((item) => run(item, '', item).catch((error: Error) => error.message));
    await turns();
    const next = run('c', '', 'c');
    begun[0]?.fail(new Error('gone'));
    expect(await Promise.all(lost)).toEqual(['gone', 'gone']);
    await turns();
    begun[1]?.end();
    expect(await next).toBe('c!');
  });

  it('give their places in turn: one with many requests does not fill them', async () => {
    const { begun, turns, ask } = open({ sizeMax: 2, atOnceMax: 2 });
    for (const item of ['a', 'b', 'c', 'd', 'e', 'f']) ask('greedy', item);
    await turns();
    ask('small', 'x');
    begun[0]?.end();
    await turns();
    begun[1]?.end();
    await turns();
    expect(begun.slice(0, 4).flatMap(({ items }) => items)).toContain('x');
  });

  it('refuse who waits where too many do', async () => {
    const { turns, run } = open({ sizeMax: 1, atOnceMax: 2 });
    const asked = Array.from({ length: 60 }, (_, index) =>
      run('one', '', String(index)).catch((error: Error) => error.message),
    );
    await turns();
    expect(await asked.at(-1)).toBe('too many of one caller at once');
  });
});
