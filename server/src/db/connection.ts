import type { Writable } from 'node:stream';
import pg from 'pg';
import { type Settle, Standing } from './standing.ts';
import { StoreRefused } from './unavailable.ts';

const int8 = 20;
const timestamptz = 1184;
/** Long enough to reach a server that is well, short enough to be forgotten. */
const cancelMs = 1000;
/** The first sign of life is asked for after this; routers forget a silent connection after some minutes. */
const keepAliveMs = 10_000;

function parseTimestamp(text: string): string {
  return new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')).toISOString();
}

const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === int8) return Number;
    if (oid === timestamptz) return parseTimestamp;
    return pg.types.getTypeParser(oid, format);
  },
} as pg.CustomTypesConfig; // pg declares one overload per built-in type; ours covers them through its own

/** What all connections of the service have in common. */
export function commonConfig(connection: pg.ClientConfig, connectMs: number): pg.ClientConfig {
  return {
    ...connection,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    application_name: 'portico',
    types,
  };
}

type Known = {
  processID: number;
  secretKey: number;
  host: string;
  port: number;
  user: string;
  database: string;
  ssl: unknown;
  connection: { stream: Writable };
};
export const known = (client: pg.ClientBase) => client as unknown as Known; // the driver has these and does not declare them

/** What is written by the time that is told of goes out then, at once: every write wakes the database. */
export function gather(stream: Writable, later: (send: () => void) => void): () => void {
  let isGathering = false;
  return () => {
    if (isGathering) return;
    isGathering = true;
    stream.cork();
    later(() => {
      isGathering = false;
      stream.uncork();
    });
  };
}

/** A standby, or a database that its operator has made read-only. */
export const readsOnly = `(pg_is_in_recovery() or current_setting('transaction_read_only')::boolean)`;

type Found = { pid: number; isReadOnly: boolean; readsNulls: boolean };

const noNulls = 'array_nulls is off for the role of the service or its database: it has to be on';

/**
 * Prepares a new connection. Times are read as text, and only these settings write every one of them in one way; a pooler
 * keeps both for each of its clients. The others it would leave to whoever comes next on the connection, so they are set only
 * where the process that serves is the one that was connected to.
 */
export function settler(settings: readonly string[]): Settle {
  return async (client) => {
    const answers: unknown = await client.query(
      `set timezone to 'UTC'; set datestyle to 'ISO'; 
        select pg_backend_pid() as pid, ${readsOnly} as "isReadOnly", current_setting('array_nulls')::boolean as "readsNulls"`,
    );
    const [row] = (answers as pg.QueryResult<Found>[])[2]?.rows ?? []; // one answer for each statement
    const isServing = row?.pid === known(client).processID;
    const wanted = isServing ? [...settings] : [];
    if (row?.readsNulls === false) {
      // Behind a pooler it would stay behind; and a null in a list must never be read as a word.
      if (!isServing) throw new StoreRefused(noNulls, { cause: new Error('array_nulls is off') });
      wanted.push('set array_nulls to on');
    }
    if (wanted.length > 0) await client.query(wanted.join('; '));
    const standing = new Standing();
    if (row?.isReadOnly) standing.doubt();
    return standing;
  };
}

/** A time limit, unless the operator has set a shorter one. */
export function limitTo(setting: string, ms: number, isLocal = false): string {
  return `select set_config(name, '${ms}', ${isLocal}) from pg_settings
    where name = '${setting}' and (setting::int8 = 0 or setting::int8 > ${ms})`;
}

/** Asks the server to end what a connection is doing. For one that is given up: what comes next on it could be hit. */
export function cancelStatement(client: pg.ClientBase): void {
  const { processID, secretKey, host, port, ssl } = known(client);
  const config = { ssl: (ssl || false) as boolean }; // as the driver hands it to itself
  const connection = new pg.Connection(config) as pg.Connection & {
    connect(port: number | string, host?: string): void;
    requestSsl(): void;
    cancel(processId: number, secretKey: number): void;
  }; // declared without what a client of its own calls
  const timer = setTimeout(() => connection.stream.destroy(), cancelMs).unref();
  const send = () => connection.cancel(processID, secretKey);
  connection
    .on('error', () => {})
    .on('end', () => clearTimeout(timer))
    .on('connect', () => (ssl ? connection.requestSsl() : send()))
    .on('sslconnect', send);
  if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
  else connection.connect(port, host);
}
