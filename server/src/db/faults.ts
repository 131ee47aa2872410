import pg from 'pg';
import { StoreUnavailable } from './unavailable.ts';

/** Errors of our own making, as in reading a value; the driver has no class of its own for a lost connection. */
const ownFaults = [RangeError, SyntaxError, TypeError];

const codeOf = (error: unknown) => (error instanceof pg.DatabaseError ? (error.code ?? '') : '');

/**
 * The statement was fine, the server was not, or not now: 08 connection, 25006 read-only, 25P03 idle in a transaction, 40001
 * serialisation, 40P01 deadlock, 53 out of resources, 55P03 lock timeout, 57 cancelled or shut down, 58 system.
 */
const unavailableCodes = /^(08|25006|25P0[34]|40001|40P01|53|55P03|57|58)/;

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return !ownFaults.some((kind) => error instanceof kind);
  return unavailableCodes.test(codeOf(error));
}

/** The server has undone all of it, and it may well succeed now: a deadlock, a lock, or a server that became a standby. */
function isWorthRepeating(error: unknown): boolean {
  return error instanceof StoreUnavailable && /^(25006|40001|40P01|55P03)$/.test(codeOf(error.cause));
}

/** The connection is of no more use: lost, silent, or ended by the server. */
export function breaksConnection(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return true;
  return error.severity === 'FATAL' || /^(08|57P)/.test(codeOf(error));
}

/** Another connection may do what this one cannot: it was opened to a standby, or while the database was read-only. */
export const doubtsConnection = (error: unknown) => codeOf(error) === '25006';

/** The statement was ended by the server, and nothing else: it was asked to, or its time was over. */
export const isCancellation = (error: unknown) => codeOf(error) === '57014';

export async function orUnavailable<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (isUnavailable(error)) throw new StoreUnavailable('database unavailable', { cause: error });
    throw error;
  }
}

export async function repeatedOnce<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!isWorthRepeating(error)) throw error;
    return work();
  }
}
