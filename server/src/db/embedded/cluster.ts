import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * A data directory and the cluster_name its processes run under, which shows in their command lines.
 * The name comes from the inode: it holds when home is moved and differs for a copy.
 */
export type Cluster = { directory: string; name: string };

export type ClusterProcess = { pid: number; role: 'postmaster' | 'child' };

export async function clusterOf(directory: string): Promise<Cluster> {
  const { dev, ino } = await stat(directory, { bigint: true });
  const digest = createHash('sha256').update(`${dev}:${ino}`).digest('hex');
  return { directory, name: `portico-${digest.slice(0, 16)}` };
}

export async function clusterProcesses(cluster: Cluster): Promise<ClusterProcess[]> {
  const found: ClusterProcess[] = [];
  for (const [pid, command] of await commandLines()) {
    const role = roleIn(cluster, command);
    if (role) found.push({ pid, role });
  }
  return found;
}

/** False also for a zombie, and for a stranger that was given the same pid. */
export async function isOfCluster(cluster: Cluster, pid: number): Promise<boolean> {
  return roleIn(cluster, await commandLine(pid)) !== undefined;
}

function roleIn(cluster: Cluster, command: string): ClusterProcess['role'] | undefined {
  if (command.startsWith(`postgres: ${cluster.name}:`)) return 'child';
  if (!/(^|\/)postgres[\0 ]/.test(command)) return undefined;
  // the directory: one that an operator started by hand has another name or none
  const words = `${command.replaceAll('\0', ' ')} `;
  const marks = [`cluster_name=${cluster.name} `, ` ${cluster.directory} `];
  return marks.some((mark) => words.includes(mark)) ? 'postmaster' : undefined;
}

async function commandLines(): Promise<[number, string][]> {
  if (process.platform !== 'linux') return listed(await ps('-axww', '-o', 'pid=,command='));
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  return Promise.all(pids.map(async (pid): Promise<[number, string]> => [pid, await commandLine(pid)]));
}

async function commandLine(pid: number): Promise<string> {
  // not every Linux container has ps
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return (await ps('-ww', '-o', 'command=', '-p', String(pid))).trim();
}

function listed(text: string): [number, string][] {
  return text.split('\n').map((line) => {
    const [, pid = '0', command = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return [Number(pid), command];
  });
}

async function ps(...args: string[]): Promise<string> {
  const options = { maxBuffer: 64 * 1024 * 1024 };
  // it fails when there is no such process
  const { stdout } = await promisify(execFile)('ps', args, options).catch(() => ({ stdout: '' }));
  return stdout;
}
