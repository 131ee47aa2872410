import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendRecords } from '../../server/src/log/append.ts';
import { createCheckpoints } from '../../server/src/log/checkpoints.ts';
import { hashRecord, type SealedRecord } from '../../server/src/log/sealed-records.ts';
import { createSealer } from '../../server/src/log/sealer.ts';
import { createDatabase, openSession } from '../../server/test/database.ts';
import { recordOf } from '../../server/test/log/history.ts';
import { buildOnce, freePort } from '../../server/test/service-process.ts';
import { openWorld, type World } from '../../server/test/world.ts';
import { Person } from './harness.ts';

let person: Person;
let world: World;
beforeAll(async () => {
  buildOnce();
  person = new Person();
  world = await openWorld();
});
afterAll(async () => {
  await world.close();
  person.remove();
});

const run = (...args: string[]) =>
  person.run(['audit', ...args], { env: { DATABASE_URL: world.database.url } });

async function append(count: number): Promise<void> {
  await world.db.transaction((tx) =>
    appendRecords(
      tx,
      Array.from({ length: count }, (_, index) => recordOf(`subject-${index}`)),
    ),
  );
  await createSealer(world.db)();
}

const exportLines = async (...args: string[]): Promise<SealedRecord[]> => {
  const { code, stdout, stderr } = await run('export', ...args);
  expect([code, stderr]).toEqual([0, '']);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
};

describe('portico audit', () => {
  it('says that there is no checkpoint before there is one', async () => {
    const { code, stdout, stderr } = await run('checkpoint');
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      expect.stringMatching(/^portico: the log has no checkpoint yet: .*\n$/),
    ]);
  });

  it('exports every record as a line of JSON, in order, with hashes that anyone can compute', async () => {
    await append(1100);
    const records = await exportLines();
    expect(records.length).toBeGreaterThanOrEqual(1100);
    let previous = '0'.repeat(64);
    for (const [index, record] of records.entries()) {
      expect(record.sequence).toBe(index + 1);
      expect(record.hash).toBe(hashRecord(record, previous));
      previous = record.hash;
    }
    const last = records.length;
    expect((await exportLines('--after', `${last - 2}`)).map(({ sequence }) => sequence)).toEqual([
      last - 1,
      last,
    ]);
    expect(await exportLines('--after', `${last}`)).toEqual([]);
  });

  it('verifies the chain, says how many records it read, and agrees with the checkpoint it printed', async () => {
    await createCheckpoints(world.db, world.services.signCheckpoint, Date.now)({ isLast: true });
    const { stdout: jws } = await run('checkpoint');
    const file = join(person.folder, 'checkpoint.jws');
    writeFileSync(file, jws);
    const records = (await exportLines()).length;
    const shown = JSON.parse((await run('checkpoint', '--json')).stdout);
    expect(shown).toMatchObject({ sequence: records, jws: jws.trim(), time: expect.any(String) });
    const whole = `${records} records up to sequence ${records}, 1 checkpoints: the chain is whole\n`;
    expect(await run('verify')).toEqual({ code: 0, stdout: whole, stderr: '' });
    expect(await run('verify', '--checkpoint', file)).toEqual({
      code: 0,
      stdout: `${whole}the given checkpoint agrees\n`,
      stderr: '',
    });
    expect(JSON.parse((await run('verify', '--json')).stdout)).toEqual({
      records,
      last: records,
      forgotten: 0,
      checkpoints: 1,
      wrong: null,
    });
  });

  it('names the first wrong record and exits with 1', async () => {
    const session = await openSession(world.database);
    await session.query('begin; set local session_replication_role = replica');
    await session.query(`update audit_log set actor_name = 'x' where sequence = 17; commit`);
    const problem = 'it is not the record that was sealed here';
    const stderr = `portico: record 17 of the audit log: ${problem}\n`;
    expect(await run('verify')).toEqual({ code: 1, stdout: '', stderr });
    const inJson = await run('verify', '--json');
    expect([inJson.code, inJson.stderr]).toEqual([1, stderr]);
    expect(JSON.parse(inJson.stdout)).toMatchObject({ records: 16, wrong: { sequence: 17, problem } });
    await session.end();
  });

  it.each([
    [['verify', '--checkpoint', '/nowhere'], 'the checkpoint file /nowhere cannot be read'],
    [['export', '--after', 'x'], '--after needs the sequence of a record, a whole number'],
    [
      ['verify', '--checkpoint', import.meta.filename],
      'this is no checkpoint that the service of this database signed',
    ],
  ])('refuses %j in one line', async (args, message) => {
    expect(await run(...args)).toEqual({ code: 2, stdout: '', stderr: `portico: ${message}\n` });
  });

  it('says in one line that the database is not migrated, or not there', async () => {
    const empty = await createDatabase('template0');
    const bare = await person.run(['audit', 'verify'], { env: { DATABASE_URL: empty.url } });
    expect([bare.code, bare.stderr]).toEqual([2, expect.stringContaining('the database has no audit log')]);
    await empty.drop();
    const url = `postgres://u:hunter2@127.0.0.1:${await freePort()}/x`;
    const away = await person.run(['audit', 'export'], { env: { DATABASE_URL: url } });
    expect([away.code, away.stderr]).toEqual([
      3,
      expect.stringMatching(/^portico: database unavailable: [^\n]*\n$/),
    ]);
  });
});
