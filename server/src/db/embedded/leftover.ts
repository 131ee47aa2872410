import { link, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, clusterProcesses, isOfCluster } from './cluster.ts';
import { EmbeddedPostgresError, unless } from './errors.ts';
import { isAlive, temporaryPath } from './temporary.ts';

/** A running postmaster; its socket directory is '' when it cannot be learned. */
export type Leftover = { pid: number; socketDirectory: string };

// pid 0: the file is empty, as after a crash right when it was made
type PidFile = Leftover & { text: string };

const SETTLE_MS = 5_000;
const STOP_MS = 10_000;
const ORPHAN_MS = 1_000;

/** The postmaster of this data directory, whoever started it. */
export async function findPostmaster(cluster: Cluster): Promise<Leftover | undefined> {
  const deadline = Date.now() + SETTLE_MS;
  for (;;) {
    const file = await readPidFile(cluster);
    const postmasters = (await clusterProcesses(cluster)).filter(({ role }) => role === 'postmaster');
    const named = postmasters.find(({ pid }) => pid === file?.pid);
    if (file && named && file.socketDirectory !== '') return file;
    const first = named ?? postmasters[0];
    if (!first) return undefined;
    // one that has just been started writes its file line by line
    if (Date.now() > deadline) return { pid: first.pid, socketDirectory: '' };
    await sleep(50);
  }
}

/** Ends it with a fast shutdown; harsher when that takes too long, which the next start recovers from. */
export async function stopPostmaster(cluster: Cluster, pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!(await isOfCluster(cluster, pid))) return;
    send(pid, signal);
    const deadline = Date.now() + STOP_MS;
    while (Date.now() < deadline) {
      if (!(await isOfCluster(cluster, pid))) return;
      await sleep(20);
    }
  }
  throw cannotStop(pid);
}

/** What a killed postmaster leaves behind; only for when findPostmaster found none. */
export async function clearRemains(cluster: Cluster): Promise<void> {
  await endOrphans(cluster);
  const file = await readPidFile(cluster);
  // that of a dead process PostgreSQL replaces by itself, after a check of its shared memory
  if (!file || (file.pid > 0 && !isAlive(file.pid))) return;
  // one has started since
  if ((await clusterProcesses(cluster)).length > 0) return;
  const path = pidPath(cluster);
  const aside = temporaryPath(path);
  const moved = await rename(path, aside).then(() => true, unless('ENOENT'));
  if (!moved) return;
  // a server started meanwhile may have written its own: that one goes back
  if ((await readFile(aside, 'utf8')) !== file.text) await link(aside, path).catch(unless('EEXIST'));
  await rm(aside);
}

// backends that outlive their postmaster hold its shared memory, which blocks the next one
async function endOrphans(cluster: Cluster): Promise<void> {
  const deadline = Date.now() + ORPHAN_MS;
  for (;;) {
    const found = await clusterProcesses(cluster);
    const first = found[0];
    if (!first || found.some(({ role }) => role === 'postmaster')) return;
    if (Date.now() > deadline + STOP_MS) throw cannotStop(first.pid);
    if (Date.now() > deadline) for (const { pid } of found) send(pid, 'SIGKILL');
    await sleep(50);
  }
}

async function readPidFile(cluster: Cluster): Promise<PidFile | undefined> {
  const text = await readFile(pidPath(cluster), 'utf8').catch(unless('ENOENT'));
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  // a single-user postgres writes its pid negative
  const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10)) || 0;
  return { text, pid, socketDirectory: lines[4] ?? '' };
}

function pidPath({ directory }: Cluster): string {
  return join(directory, 'postmaster.pid');
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    unless('ESRCH')(error);
  }
}

function cannotStop(pid: number): EmbeddedPostgresError {
  return new EmbeddedPostgresError(`process ${pid} of the embedded database cannot be stopped`);
}
