import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildOnce,
  freePort,
  makeFolder,
  processesWith,
  removeFolder,
  Service,
} from '../../server/test/service-process.ts';
import { binary, Person } from './harness.ts';

let person: Person;
let folder: string;
let home: string;

beforeAll(() => {
  buildOnce();
  person = new Person();
  folder = makeFolder();
  home = join(folder, '.portico');
});
afterAll(async () => {
  await removeFolder(folder);
  person.remove();
});

const allExact = {
  code: 0,
  stdout: expect.stringMatching(
    /^audit_log: .*\ndeliveries: .*\nfiles: \d+ rows, \d+ counts, all exact\ntransfers: .*, all exact\ntransfers_updated: .*, all exact\n$/,
  ),
  stderr: '',
};
const pidFile = () => join(home, 'database/postmaster.pid');
const postmaster = () => readFileSync(pidFile(), 'utf8').split('\n')[0];
const verify = () => person.run(['tally', 'verify'], { env: { PORTICO_HOME: home } });

describe('portico tally with the embedded database', () => {
  it('makes none where there is none', async () => {
    const { code, stdout, stderr } = await person.run(['tally', 'verify']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^portico: there is no database in PORTICO_HOME \S+\.portico: .*\n$/);
    expect(existsSync(join(person.folder, '.portico'))).toBe(false);
  });

  it('works beside a server that runs on it, which goes on', async () => {
    const port = await freePort();
    const service = await new Service({ cwd: folder, env: { PORT: String(port) } }).ready();
    const before = postmaster();
    expect(await verify()).toEqual(allExact);
    // without PORTICO_HOME, from the directory that the server was started in
    expect(await person.run(['tally', 'rebuild'], { cwd: folder })).toMatchObject({ code: 0, stderr: '' });
    expect(await verify()).toEqual(allExact);
    expect(postmaster()).toBe(before);
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    expect(await service.stop()).toBe(0);
  });

  it('starts one that does not run, and stops it again', async () => {
    expect(processesWith(folder)).toEqual([]);
    expect(await verify()).toEqual(allExact);
    expect(await person.run(['tally', 'rebuild'], { cwd: folder })).toMatchObject({ code: 0, stderr: '' });
    expect(processesWith(folder)).toEqual([]);
  });

  it.each(['SIGINT', 'SIGHUP'] as const)(
    'stops what it started also when it is ended by %s',
    async (signal) => {
      const child = person.start(process.execPath, [binary, 'tally', 'verify'], {
        env: { PORTICO_HOME: home },
      });
      const ended = new Promise((resolve) => child.once('close', (_code, endedBy) => resolve(endedBy)));
      while (!existsSync(pidFile()) && child.exitCode === null) await sleep(10);
      child.kill(signal);
      expect(await ended).toBe(signal);
      expect(processesWith(folder)).toEqual([]);
    },
  );

  it('leaves a home that a server can use', async () => {
    const service = await new Service({ cwd: folder, env: { PORT: String(await freePort()) } }).ready();
    expect(await service.stop()).toBe(0);
  });
});
