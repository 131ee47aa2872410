import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { TestDatabase } from '../database.ts';

/** A wire to the database that a test can cut, or leave hanging with nothing coming through. */
export class Wire {
  readonly sockets = new Set<Socket>();
  isHung = false;
  /** A statement that never arrives: the connection is reset when it is sent. */
  resetsAt: string | undefined;
  server: Server | undefined;
  port = 0;
  readonly target: string;

  constructor({ connection }: TestDatabase) {
    this.target = join(connection.host, `.s.PGSQL.${connection.port}`);
  }

  async open(): Promise<void> {
    this.server = createServer((client) => {
      const database = connect(this.target);
      for (const socket of [client, database]) {
        this.sockets.add(socket);
        socket.on('error', () => {}).on('close', () => this.sockets.delete(socket));
      }
      client
        .on('data', (data) => {
          if (this.resetsAt !== undefined && data.includes(this.resetsAt)) client.resetAndDestroy();
          else if (!this.isHung) database.write(data);
        })
        .on('close', () => database.destroy());
      database.on('data', (data) => this.isHung || client.write(data)).on('close', () => client.destroy());
    });
    await new Promise<void>((resolve) => this.server?.listen(this.port, '127.0.0.1', resolve));
    const address = this.server.address();
    this.port = typeof address === 'object' && address !== null ? address.port : 0;
  }

  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.server?.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  /** The same database, reached through the wire. */
  through(database: TestDatabase): TestDatabase {
    return { ...database, connection: { ...database.connection, host: '127.0.0.1', port: this.port } };
  }
}
