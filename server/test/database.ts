import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type Connection, templateName } from './global-setup.ts';

async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client(inject('connection'));
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

export type TestDatabase = { connection: Connection; url: string; drop(): Promise<void> };

/** Where a database is reached by its socket. */
export function urlOf({ host, port, user, password, database }: Connection): string {
  const url = new URL(`postgres://localhost/${database}`);
  url.username = user;
  url.password = password;
  url.searchParams.set('host', host);
  url.searchParams.set('port', String(port));
  return url.href;
}

/** A database of its own: a clone of the template, or an empty one. */
export async function createDatabase(template: string = templateName): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Copied as files: every page through the log takes ten times as long.
  await asAdmin(`create database ${name} template ${template} strategy file_copy`);
  const connection = { ...inject('connection'), database: name };
  return { connection, url: urlOf(connection), drop: () => asAdmin(`drop database ${name} with (force)`) };
}

/** A session of its own, for what must hold a transaction or write around the service. */
export async function openSession({ connection }: TestDatabase): Promise<pg.Client> {
  const client = new pg.Client(connection);
  await client.connect();
  return client;
}
