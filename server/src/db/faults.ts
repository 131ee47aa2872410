import pg from 'pg';
import { StoreRefused, StoreUnavailable } from './unavailable.ts';

/** Errors of our own making, as in reading a value; the driver has no class of its own for a lost connection. */
const ownFaults = [RangeError, SyntaxError, TypeError];

const codeOf = (error: unknown) => (error instanceof pg.DatabaseError ? (error.code ?? '') : '');

/**
 * The statement was fine, the server was not, or not now: 08 connection, 25006 read-only, 25P03 idle in a transaction, 40001
 * serialisation, 40P01 deadlock, 53 out of resources, 55P03 lock timeout, 57 cancelled or shut down, 58 system.
 */
const unavailableCodes = /^(08|25006|25P0[34]|40001|40P01|53|55P03|57|58)/;

/**
 * What an operator has done to the database, most of it by mistake. A statement of ours that is wrong fails alike, and is not
 * told apart: the log has its code, message and route, as of the others.
 */
const refusals: [codes: RegExp, advice: string][] = [
  [/^28P01/, 'the database refuses the password of the service'],
  [/^28/, 'the database does not let the role of the service log in'],
  [/^3D000/, 'the database of the service is not there under its name'],
  [/^42501/, 'the role of the service lacks privileges in the database'],
  [
    /^(3F000|42P01|42703|42704|42883)/,
    'the database does not show all that the service made in it: look at search_path, of the role and of the database',
  ],
  [/^0A000/, 'the database was changed under an open connection'], // a plan for another result
];

const adviceOn = (error: unknown) => refusals.find(([codes]) => codes.test(codeOf(error)))?.[1];

function unavailable(error: unknown): StoreUnavailable | undefined {
  if (error instanceof StoreUnavailable) return error;
  const isAway =
    error instanceof pg.DatabaseError
      ? unavailableCodes.test(codeOf(error))
      : !ownFaults.some((kind) => error instanceof kind);
  if (isAway) return new StoreUnavailable('database unavailable', { cause: error });
  const advice = adviceOn(error);
  return advice === undefined ? undefined : new StoreRefused(advice, { cause: error });
}

/** The server has undone all of it, and it may well succeed now: a deadlock, a lock, or a server that became a standby. */
function isWorthRepeating(error: unknown): boolean {
  return error instanceof StoreUnavailable && /^(25006|40001|40P01|55P03)$/.test(codeOf(error.cause));
}

/** A server that speaks is there, also where it ends a connection that is only being opened; one that refuses it goes on to. */
export function isPassing(error: unknown): boolean {
  if (error instanceof StoreRefused) return false;
  return (
    error instanceof pg.DatabaseError || (error instanceof Error && error.cause instanceof pg.DatabaseError)
  );
}

/** The connection is of no more use: lost, silent, or ended by the server. */
export function breaksConnection(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return true;
  return error.severity === 'FATAL' || /^(08|57P)/.test(codeOf(error));
}

/**
 * Another connection may do what this one cannot: it was opened to a standby, while the database was read-only, or with a
 * search_path that is no more.
 */
export const doubtsConnection = (error: unknown) =>
  codeOf(error) === '25006' || adviceOn(error) !== undefined;

/** The statement was ended by the server, and nothing else: it was asked to, or its time was over. */
export const isCancellation = (error: unknown) => codeOf(error) === '57014';

export async function orUnavailable<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw unavailable(error) ?? error;
  }
}

/** Nothing was asked on it yet: whatever the server says, it does not let the service in. */
export async function orRefused<Value>(opening: Promise<Value>): Promise<Value> {
  try {
    return await orUnavailable(opening);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    throw new StoreRefused('the database does not let the service in', { cause: error });
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
