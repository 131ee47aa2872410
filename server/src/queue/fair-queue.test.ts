import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Crowded, createFairQueue, type Shares } from './fair-queue.ts';

const shares: Shares = { atOnceMax: 4, atOnceEach: 2, waitingMax: 100, waitingEach: 50, waitMs: 60_000 };

/** Work that is finished by the test, one at a time, in the order in which it was begun. */
function createWork() {
  const begun: { name: string; finish(): void }[] = [];
  const work = (name: string) => () =>
    new Promise<string>((resolve) => begun.push({ name, finish: () => resolve(name) }));
  const finish = async () => {
    begun.shift()?.finish();
    await turn();
  };
  return { work, finish, names: () => begun.map(({ name }) => name) };
}

const shareOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: unknown) => (error instanceof Crowded ? error.share : error),
  );

describe('a fair queue', () => {
  it('lets one household have its share at once and no more, and all together no more than all', async () => {
    const queue = createFairQueue(shares);
    const { work, names } = createWork();
    for (const name of ['a', 'a', 'a', 'b', 'b', 'c', 'd']) void shareOf(queue.run(name, work(name)));
    await turn();
    expect(names()).toEqual(['a', 'a', 'b', 'b']);
    expect([queue.busy(), queue.waiting()]).toEqual([4, 3]);
  });

  it('gives free places to the households in turn, whatever number of requests one has', async () => {
    const queue = createFairQueue({ ...shares, atOnceMax: 1, atOnceEach: 1 });
    const { work, finish, names } = createWork();
    const order: string[] = [];
    for (let count = 0; count < 40; count += 1) void shareOf(queue.run('greedy', work('greedy')));
    for (const name of ['small', 'other']) void shareOf(queue.run(name, work(name)));
    await turn();
    for (let count = 0; count < 5; count += 1) {
      order.push(names()[0] ?? '');
      await finish();
    }
    expect(order).toEqual(['greedy', 'greedy', 'small', 'other', 'greedy']);
  });

  it('takes a place of whoever has most of a full line for one who has less, and of nobody for the others', async () => {
    const queue = createFairQueue({ ...shares, atOnceMax: 0, waitingMax: 6 });
    const join = (name: string, member: string) => shareOf(queue.enter(name, { member }));
    const loud = ['a', 'b', 'b', 'b'].map((member) => join('most', member));
    const some = ['c', 'c'].map((member) => join('some', member));
    void Promise.all([...loud, ...some]);
    void join('new', 'd');
    expect(await loud[1]).toBe('all');
    expect(await join('most', 'b')).toBe('all');
    expect(await join('some', 'c')).toBe('all');
    expect(queue.waiting()).toBe(6);
  });

  it('lets the members of a household take turns', async () => {
    const queue = createFairQueue({ ...shares, atOnceMax: 1, atOnceEach: 1 });
    const leave = await queue.enter('home');
    const order: string[] = [];
    const join = (member: string) =>
      queue.enter('home', { member }).then((end) => {
        order.push(member);
        end();
      });
    const all = [...Array.from({ length: 5 }, () => join('loud')), join('quiet')];
    leave();
    await Promise.all(all);
    expect(order.indexOf('quiet')).toBe(1);
  });

  it('refuses a household whose line is full, and everyone when all lines are', async () => {
    const queue = createFairQueue({ ...shares, waitingEach: 1, waitingMax: 2 });
    const { work } = createWork();
    for (const name of ['a', 'a', 'b', 'b', 'a', 'b']) void shareOf(queue.run(name, work(name)));
    expect(await shareOf(queue.run('a', work('a')))).toBe('own');
    expect(await shareOf(queue.run('c', work('c')))).toBe('all');
    expect([queue.busy(), queue.waiting()]).toEqual([4, 2]);
  });

  it('where nobody waits, tells who has its share that it has, and whoever has nothing that all is taken', async () => {
    const queue = createFairQueue({ ...shares, waitingEach: 0, waitingMax: 0 });
    const { work } = createWork();
    for (const name of ['a', 'a', 'b', 'b']) void shareOf(queue.run(name, work(name)));
    expect(await shareOf(queue.run('a', work('a')))).toBe('own');
    expect(await shareOf(queue.run('c', work('c')))).toBe('all');
  });

  it('refuses who has waited too long, and who leaves, and their places in line are gone', async () => {
    const queue = createFairQueue({ ...shares, atOnceMax: 1, atOnceEach: 1, waitMs: 20 });
    const { work, finish } = createWork();
    const first = queue.run('a', work('a'));
    let leave = () => {};
    const onWait = (giveUp: () => void) => {
      leave = giveUp;
    };
    const gone = shareOf(queue.run('b', work('b'), { onWait }));
    leave();
    expect(await gone).toBe('all');
    expect(await shareOf(queue.run('a', work('a')))).toBe('own');
    expect(await shareOf(queue.run('c', work('c')))).toBe('all');
    expect(queue.waiting()).toBe(0);
    await finish();
    expect(await first).toBe('a');
    expect([queue.busy(), queue.waiting()]).toEqual([0, 0]);
  });

  it('takes nothing from who has its turn and gives up the place in line that it had', async () => {
    const queue = createFairQueue({ ...shares, atOnceMax: 1, atOnceEach: 1 });
    const { work, finish, names } = createWork();
    void shareOf(queue.run('a', work('a')));
    let giveUp = () => {};
    const onWait = (leave: () => void) => {
      giveUp = leave;
    };
    const second = shareOf(queue.run('b', work('b'), { onWait }));
    void shareOf(queue.run('b', work('b again')));
    await turn();
    await finish();
    giveUp();
    giveUp();
    expect([queue.busy(), queue.waiting(), names()]).toEqual([1, 1, ['b']]);
    await finish();
    expect(await second).toBe('done');
    expect(names()).toEqual(['b again']);
  });

  it('tells those who waited in vain a few at a time, and every one of them', async () => {
    const queue = createFairQueue({ ...shares, atOnceMax: 1, atOnceEach: 1, waitMs: 20 });
    const { work, finish } = createWork();
    const first = queue.run('a', work('a'));
    const perTurn: number[] = [];
    let told = 0;
    const waiting = Array.from({ length: 40 }, () =>
      shareOf(queue.run('b', work('b'))).then((share) => {
        told += 1;
        return share;
      }),
    );
    while (queue.waiting() > 0) {
      const before = told;
      await turn();
      perTurn.push(told - before);
    }
    expect(Math.max(...perTurn)).toBeLessThanOrEqual(4);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['all']));
    await finish();
    await first;
  });

  it('tells more of them at a time in a long line, so that nobody waits much longer than the first', async () => {
    const count = 4000;
    const long = {
      ...shares,
      atOnceMax: 1,
      atOnceEach: 1,
      waitingMax: count,
      waitingEach: count,
      waitMs: 20,
    };
    const queue = createFairQueue(long);
    const { work, finish } = createWork();
    const first = queue.run('a', work('a'));
    const giveUps: (() => void)[] = [];
    const onWait = (giveUp: () => void) => void giveUps.push(giveUp);
    const waiting = Array.from({ length: count }, () => shareOf(queue.run('b', work('b'), { onWait })));
    while (queue.waiting() === count) await turn();
    expect(count - queue.waiting()).toBe(10);
    for (const giveUp of giveUps) giveUp(); // those who were told, in vain
    await Promise.all(waiting);
    await finish();
    await first;
  });

  it('gives fewer places to the household with the longest line, and to no other', async () => {
    const queue = createFairQueue({
      ...shares,
      waitingEach: 99,
      atOnceMax: 9,
      atOnceEach: 3,
      atOnceLongest: 1,
    });
    const { work, finish, names } = createWork();
    for (let count = 0; count < 60; count += 1) void shareOf(queue.run('many', work('many')));
    for (let count = 0; count < 18; count += 1) void shareOf(queue.run('few', work('few')));
    await expect.poll(names).toEqual(['many', 'many', 'many', 'few', 'few', 'few']);
    await sleep(50); // the lines were looked at
    for (let count = 0; count < 12; count += 1) await finish();
    const busy = names();
    expect(busy.filter((name) => name === 'many')).toHaveLength(1);
  });

  it('knows who else is there, working or waiting, and who else of one household waits', async () => {
    const queue = createFairQueue({ ...shares, atOnceMax: 1 });
    expect(queue.hasOther('a', 'one')).toBe(false);
    const leave = await queue.enter('a', { member: 'one' });
    expect([queue.hasOther('a', 'one'), queue.hasOther('b')]).toEqual([false, true]);
    const waiting = queue.enter('a', { member: 'two' });
    await turn();
    expect([queue.hasOther('a'), queue.hasOther('a', 'two'), queue.hasOther('a', 'one')]).toEqual([
      false,
      false,
      true,
    ]);
    leave();
    (await waiting)();
    expect([queue.hasOther('b'), queue.hasOther('a', 'one')]).toEqual([false, false]);
  });

  it('gives the place of work that fails to the next, and ends a turn once', async () => {
    const queue = createFairQueue({ ...shares, atOnceMax: 1, atOnceEach: 1 });
    const failing = queue.run('a', () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    const leave = await queue.enter('a');
    leave();
    leave();
    expect(queue.busy()).toBe(0);
    expect(await queue.run('b', async () => 'served')).toBe('served');
  });
});
