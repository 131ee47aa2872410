import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type pg from 'pg';
import { known } from './connection.ts';

const niceness = 15;

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // another system, or another user's process: then it has the priority it has
  }
}

function isHere(client: pg.ClientBase): boolean {
  const { processID, host, user, database } = known(client);
  if (!host.startsWith('/')) return false;
  try {
    const title = readFileSync(`/proc/${processID}/cmdline`, 'utf8');
    return title.startsWith('postgres:') && title.includes(` ${user} ${database} [local]`);
  } catch {
    return false; // another system, or another machine behind the socket
  }
}

/**
 * On the machine of the service, whoever works for a connection gives way to everything else: a statement that may take
 * long must not take the processor from requests that are short. Every server process of PostgreSQL leads a session, and
 * Linux may share the processors between sessions before it looks at who is in them, so both are told; and to be idle, as
 * one of low priority may end its slice before who wakes up is let in. What the process says of itself is looked at first,
 * as its number alone may be that of another one in another container. Tells whether it is on this machine.
 */
export function giveWay(client: pg.ClientBase): boolean {
  const { processID } = known(client);
  if (!isHere(client)) return false;
  attempt(() => setPriority(processID, niceness));
  attempt(() => writeFileSync(`/proc/${processID}/autogroup`, String(niceness)));
  execFile('chrt', ['--idle', '--pid', '0', String(processID)], () => {}); // not everywhere: then it is only nice
  return true;
}
