import type { AuditLog, Tallies } from '@portico/server/operate';
import { Failure } from './failure.ts';

/** For the notes of commands that work on the database. */
export const settingsNote = `The database is that of the server's own settings: DATABASE_URL, or else the embedded one of PORTICO_HOME, which is
started for the command when no server runs on it. Nothing is migrated.`;

type Closable = { close(): Promise<void> };
type Operate = typeof import('@portico/server/operate');

/** A database that was started for the command is stopped with it; then the signal does what it always does. */
function closeOnSignals(opening: Promise<Closable>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      await opening.then((opened) => opened.close()).catch(() => {});
      process.kill(process.pid, signal);
    });
  }
}

/** The server's code is loaded here alone: commands that speak HTTP need no database driver. */
async function withDatabase<Opened extends Closable>(
  open: (operate: Operate) => Promise<Opened>,
  work: (opened: Opened) => Promise<void>,
): Promise<void> {
  const operate = await import('@portico/server/operate');
  const opening = open(operate);
  closeOnSignals(opening);
  try {
    const opened = await opening;
    await work(opened).finally(() => opened.close());
  } catch (error) {
    if (!(error instanceof operate.OperateError)) throw error;
    throw new Failure(error.message, error.isUnreachable ? 'connection' : 'usage');
  }
}

export const withTallies = (work: (tallies: Tallies) => Promise<void>) =>
  withDatabase(({ openTallies }) => openTallies(process.env), work);

export const withAuditLog = (work: (log: AuditLog) => Promise<void>) =>
  withDatabase(({ openAuditLog }) => openAuditLog(process.env), work);
