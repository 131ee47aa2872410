import { databaseDefaults } from '../db/database.ts';
import { count, variable } from './values.ts';

/** Connections to the database: how many of each kind, and how long they are waited for. */
export const databaseVariables = {
  PORTICO_DB_POOL: variable(
    count(1, 1000),
    String(databaseDefaults.poolMax),
    'Connections for lookups, sign-in, nonces and writes.',
  ),
  PORTICO_DB_READERS: variable(
    count(1, 100),
    String(databaseDefaults.readersMax),
    'Connections that lists share; twice as many while statements on them are stuck.',
  ),
  PORTICO_DB_SLOW: variable(
    count(1, 100),
    String(databaseDefaults.slowMax),
    'Connections for lists whose cost grows with the data, such as deep pages in an unusual order.',
  ),
  PORTICO_DB_CONNECT_MS: variable(
    count(50, 60_000),
    String(databaseDefaults.connectMs),
    'Longest wait for a connection.',
  ),
  PORTICO_DB_QUERY_MS: variable(
    count(200, 60_000),
    String(databaseDefaults.queryMs),
    'Longest wait for a statement.',
  ),
  PORTICO_DB_SLOW_MS: variable(
    count(1000, 600_000),
    String(databaseDefaults.slowMs),
    'The same for lists that may take long.',
  ),
} as const;
