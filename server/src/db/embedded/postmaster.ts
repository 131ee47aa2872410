import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { environment, identity } from './account.ts';
import type { Binaries } from './binaries.ts';
import type { Cluster } from './cluster.ts';
import { lastLine } from './errors.ts';
import type { Place } from './place.ts';
import { PORT } from './socket-directory.ts';

export type Postmaster = {
  pid: number;
  hasEnded(): boolean;
  /** it ended because it was asked to */
  wasStopped(): boolean;
  /** why else it ended, as its log tells */
  lastWords(): Promise<string>;
};

export type Launch = {
  place: Place;
  binaries: Binaries;
  cluster: Cluster;
  socketDirectory: string;
  settings: Record<string, string>;
};

// fsync, full_page_writes and synchronous_commit stay on, as they are by default
const SETTINGS = {
  log_checkpoints: 'off',
  log_error_verbosity: 'terse',
  // no statement, and so no user's data, in the log
  log_min_error_statement: 'panic',
  log_timezone: 'UTC',
  max_connections: '100',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
};

/**
 * A quarter of the memory, as PostgreSQL advises, of which pages take only what they need. Where a table does not fit, a
 * long list changes pages all the time, and holds up everyone who wants one of the same part of memory meanwhile.
 */
export function bufferMiB(
  memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
) {
  return Math.min(2048, Math.max(128, Math.floor(memory / 4 / 2 ** 20)));
}

export function logFile({ home }: Place): string {
  return join(home, 'postgres.log');
}

/** In its own process group: it outlives a killed server and gets no Ctrl-C of its terminal. */
export async function spawnPostmaster(launch: Launch): Promise<Postmaster> {
  const { place, binaries } = launch;
  const path = logFile(place);
  const log = await open(path, 'a', 0o600);
  try {
    const { size } = await log.stat();
    const child = spawn(join(binaries.directory, 'postgres'), postgresArguments(launch), {
      ...identity(place.account),
      cwd: '/',
      detached: true,
      env: environment(),
      stdio: ['ignore', log.fd, log.fd],
    });
    await once(child, 'spawn');
    child.unref();
    return {
      pid: child.pid ?? 0,
      hasEnded: () => child.exitCode !== null || child.signalCode !== null,
      wasStopped: () => child.exitCode === 0,
      lastWords: async () => {
        if (child.signalCode !== null) return `killed by ${child.signalCode}`;
        return reasonIn(await text(createReadStream(path, { start: size })));
      },
    };
  } finally {
    await log.close();
  }
}

function postgresArguments({ cluster, socketDirectory, settings }: Launch): string[] {
  const all = {
    ...SETTINGS,
    shared_buffers: `${bufferMiB()}MB`,
    ...settings,
    cluster_name: cluster.name,
    listen_addresses: '',
    port: String(PORT),
    // a list, in which a quoted item may hold commas and spaces
    unix_socket_directories: `"${socketDirectory.replaceAll('"', '""')}"`,
  };
  return [
    '-D',
    cluster.directory,
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

function reasonIn(log: string): string {
  const lines = log.split('\n').filter((line) => !line.includes('the database system is'));
  const worst = lines.findLast((line) => /\b(FATAL|PANIC):/.test(line));
  return (worst ?? lastLine(lines.join('\n'))).replace(/^.*?\b(?=(FATAL|PANIC|LOG|ERROR):)/, '').trim();
}
