import { describe, expect, it } from 'vitest';
import { Crowded } from './fair-queue.ts';
import { createSharedPlaces, type SharedPlaces } from './shared-places.ts';

/** What a tenant gets that asks for ever more, with callers without number, and what it is told then. */
async function takeAll(places: SharedPlaces, tenant: string) {
  const leave: (() => void)[] = [];
  for (;;) {
    const place = await places.enter({ tenant, caller: `${tenant} ${leave.length}` }).catch((error) => error);
    if (place instanceof Crowded) return { got: leave.length, told: place.share, leave };
    leave.push(place);
  }
}

describe('shared places', () => {
  it('are a quarter of all for one tenant, however many callers it has, and its caller has a share of that', async () => {
    const places = createSharedPlaces({ all: 256, caller: 16 });
    const sharer = { tenant: 'a', caller: 'one' };
    const leave = await Promise.all(Array.from({ length: 16 }, () => places.enter(sharer)));
    await expect(places.enter(sharer)).rejects.toMatchObject({ share: 'own' });
    const { got, told } = await takeAll(places, 'a');
    expect([got + leave.length, told, places.busy()]).toEqual([64, 'own', 64]);
    for (const each of leave) each();
    expect(places.busy()).toBe(48);
    expect((await takeAll(places, 'a')).got).toBe(16);
  });

  it('are left to the next by tenants who take all they get; once none is, who has none is told that all are taken', async () => {
    const places = createSharedPlaces({ all: 256, caller: 16 });
    const taken: Awaited<ReturnType<typeof takeAll>>[] = [];
    for (let n = 0; places.busy() < 256; n += 1) taken.push(await takeAll(places, `tenant ${n}`));
    const gotten = taken.map(({ got }) => got);
    expect(gotten.slice(0, 4)).toEqual([64, 48, 36, 27]);
    expect(gotten.length).toBeGreaterThan(16);
    await expect(places.enter({ tenant: 'late', caller: 'c' })).rejects.toMatchObject({ share: 'all' });
    taken[0]?.leave[0]?.();
    await expect(places.enter({ tenant: 'tenant 0', caller: 'c' })).rejects.toMatchObject({ share: 'own' });
    await (await places.enter({ tenant: 'late', caller: 'c' }))();
  });

  it('end once with the work, also with one that fails', async () => {
    const places = createSharedPlaces({ all: 4, caller: 1 });
    const sharer = { tenant: 'a', caller: 'one' };
    await expect(places.run(sharer, async () => Promise.reject(new Error('failed')))).rejects.toThrow(
      'failed',
    );
    const leave = await places.enter(sharer);
    leave();
    leave();
    expect([await places.run(sharer, async () => 'done'), places.busy()]).toEqual(['done', 0]);
  });
});
