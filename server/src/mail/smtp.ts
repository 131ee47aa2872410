import type { ConnectionOptions } from 'node:tls';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { SmtpServer } from '../config/mail-values.ts';

/** A server that is away or hangs is given up; one that takes its time over what it was sent is waited for. */
export const smtpTimes = { connectMs: 20_000, greetingMs: 15_000, silentMs: 30_000, totalMs: 60_000 };

export type SmtpOptions = { times?: typeof smtpTimes; tls?: ConnectionOptions };

/** What went wrong: this mail will not be taken (5xx), or not now (4xx), or the server takes none at all. */
type Fault = 'refused' | 'deferred' | 'away';

type Cause = { code?: string | undefined; command?: string | undefined; responseCode?: number | undefined };

/** Carries no text of the server, which may repeat the address. */
export class SmtpFailure extends Error {
  readonly fault: Fault;
  readonly code: string | undefined;
  readonly command: string | undefined;
  readonly responseCode: number | undefined;

  constructor({ code, command, responseCode }: Cause) {
    super('the mail was not taken');
    const isAboutMail = command === 'RCPT TO' || command === 'DATA';
    this.fault =
      !isAboutMail || responseCode === undefined ? 'away' : responseCode < 500 ? 'deferred' : 'refused';
    this.code = code;
    this.command = command;
    this.responseCode = responseCode;
  }
}

function connectionOf(server: SmtpServer, { times = smtpTimes, tls }: SmtpOptions): SMTPConnection {
  return new SMTPConnection({
    host: server.host,
    port: server.port,
    secure: server.isSecure,
    requireTLS: !server.isSecure && !server.mayBePlain,
    // On this machine a certificate, most often one that nobody signed, has nobody to keep out.
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: !server.mayBePlain, ...tls },
    connectionTimeout: times.connectMs,
    greetingTimeout: times.greetingMs,
    socketTimeout: times.silentMs,
    dnsTimeout: times.connectMs,
    maxResponseSize: 64 * 1024,
  });
}

type Posted = { from: string; to: string; bytes: Buffer };

function converse(
  connection: SMTPConnection,
  { auth }: SmtpServer,
  { from, to, bytes }: Posted,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Cause) => reject(new SmtpFailure(error));
    const post = () => connection.send({ from, to }, bytes, (error) => (error ? fail(error) : resolve()));
    connection.on('error', fail);
    connection.on('end', () => fail({ code: 'ECONNECTION' }));
    connection.connect((failed) => {
      if (failed) fail(failed);
      else if (auth === undefined) post();
      else
        connection.login({ user: auth.user, pass: auth.password }, (error) => (error ? fail(error) : post()));
    });
  });
}

/** Hands one mail to the server, on a connection of its own, which ends with it. */
export async function sendBySmtp(
  server: SmtpServer,
  posted: Posted,
  options: SmtpOptions,
  stopped: AbortSignal,
): Promise<void> {
  const connection = connectionOf(server, options);
  const close = () => connection.close();
  // A server that says a little now and then is never silent.
  const timer = setTimeout(close, options.times?.totalMs ?? smtpTimes.totalMs);
  stopped.addEventListener('abort', close);
  try {
    await converse(connection, server, posted);
  } finally {
    clearTimeout(timer);
    stopped.removeEventListener('abort', close);
    close();
  }
}
