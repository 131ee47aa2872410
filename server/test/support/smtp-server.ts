import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

type Arrived = {
  from: string;
  to: string[];
  isSecure: boolean;
  user: string | undefined;
  raw: string;
  mail: Email;
};

export type SmtpServer = {
  url: string;
  /** What was taken, oldest first. */
  arrived: Arrived[];
  /** Breaks every connection, as a server that is killed. */
  breakOff(): void;
  close(): Promise<void>;
};

const addressOf = (given: { address: string } | false) => (given === false ? '' : given.address);

/** A real SMTP server on loopback; plain and open to all unless told otherwise. */
export async function startSmtpServer(options: SMTPServerOptions = {}, port = 0): Promise<SmtpServer> {
  const arrived: Arrived[] = [];
  const sockets = new Set<Socket>();
  const server = new SMTPServer({
    logger: false,
    closeTimeout: 1,
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: options.key === undefined ? ['STARTTLS'] : [],
    onData(stream, { envelope, secure, user }, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks);
        const to = envelope.rcptTo.map(addressOf);
        const known = { from: addressOf(envelope.mailFrom), to, isSecure: secure, user };
        arrived.push({ ...known, raw: raw.toString(), mail: await PostalMime.parse(raw) });
        callback();
      });
    },
    ...options,
  });
  server.on('error', () => {}); // a client that leaves is no error of a test
  const listener = server.listen(port, '127.0.0.1');
  listener.on('connection', (socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)));
  });
  await once(listener, 'listening');
  const taken = (listener.address() as AddressInfo).port; // a TCP server has one
  const breakOff = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `smtp://127.0.0.1:${taken}`,
    arrived,
    breakOff,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(resolve));
      breakOff();
      await closed;
    },
  };
}

/** A refusal with a code, as the hooks of the server give it. */
export const refusal = (responseCode: number) => Object.assign(new Error('not here'), { responseCode });
