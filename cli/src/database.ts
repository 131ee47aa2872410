import type {
  ImportName,
  ListName,
  OpenImport,
  OpenList,
  OpenTask,
  TaskName,
} from '@portico/server/administer';
import type { AuditLog, OperateError, Tallies } from '@portico/server/operate';
import { Failure, wrongUsage } from './failure.ts';
import { endingSignals } from './interrupt.ts';

const whichDatabase = `The database is that of the server's own settings: DATABASE_URL, or else the embedded one of PORTICO_HOME, which is
started for the command when no server runs on it.`;

/** For the notes of commands that work on the database. */
export const settingsNote = `${whichDatabase} Nothing is migrated.`;
export const migratingNote = `${whichDatabase} It is migrated first, and an embedded one is made where there is none.`;

type Closable = { close(): Promise<void> };
type Module<Part> = Part & { OperateError: typeof OperateError };

/** A database that was started for the command is stopped with it; then the signal does what it always does. */
function closeOnSignals(opening: Promise<Closable>): void {
  for (const signal of endingSignals) {
    process.once(signal, async () => {
      await opening.then((opened) => opened.close()).catch(() => {});
      process.kill(process.pid, signal);
    });
  }
}

const outcomes = { unreachable: 'connection', refused: 'refused', unusable: 'usage' } as const;

/** Fields that are given without a dash, and how help texts call them. */
export type Positionals = Readonly<Record<string, string>>;

/** Fields have the names of options, in another spelling. */
const optionOf = (field: string) => `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function failureOf({ message, reason, fields }: OperateError, positionals: Positionals): Failure {
  const nameOf = (field: string) => positionals[field] ?? optionOf(field);
  const told = fields.map((each) => `${nameOf(each.field)} ${each.message}`).join('; ');
  return new Failure(told || message, outcomes[reason]);
}

async function withDatabase<Part, Opened extends Closable>(
  module: Module<Part>,
  open: (part: Part) => Promise<Opened>,
  work: (opened: Opened) => Promise<void>,
  positionals: Positionals = {},
): Promise<void> {
  const opening = open(module);
  closeOnSignals(opening);
  try {
    const opened = await opening;
    await work(opened).finally(() => opened.close());
  } catch (error) {
    throw error instanceof module.OperateError ? failureOf(error, positionals) : error;
  }
}

/** The server's code is loaded here alone: where the package is installed by itself, there is none, and commands that speak HTTP need none. */
async function load<Loaded>(loading: Promise<Loaded>): Promise<Loaded> {
  try {
    return await loading;
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing || !/@portico\/server|server\/dist/.test(error.message)) throw error;
    throw wrongUsage(
      "this command works on the database with the server's own code, which is not installed here: run it as npx portico in the folder of the server",
    );
  }
}

const operate = () => load(import('@portico/server/operate'));
const administer = () => load(import('@portico/server/administer'));

export async function withTallies(work: (tallies: Tallies) => Promise<void>): Promise<void> {
  await withDatabase(await operate(), ({ openTallies }) => openTallies(process.env), work);
}

export async function withAuditLog(work: (log: AuditLog) => Promise<void>): Promise<void> {
  await withDatabase(await operate(), ({ openAuditLog }) => openAuditLog(process.env), work);
}

export async function withTask(
  name: TaskName,
  given: object,
  work: (task: OpenTask) => Promise<void>,
  positionals: Positionals,
): Promise<void> {
  await withDatabase(
    await administer(),
    ({ openTask }) => openTask(process.env, name, given),
    work,
    positionals,
  );
}

export async function withList(
  name: ListName,
  given: object,
  work: (list: OpenList) => Promise<void>,
): Promise<void> {
  await withDatabase(await administer(), ({ openList }) => openList(process.env, name, given), work);
}

export async function withImport(
  name: ImportName,
  given: object,
  work: (opened: OpenImport) => Promise<void>,
): Promise<void> {
  await withDatabase(await administer(), ({ openImport }) => openImport(process.env, name, given), work);
}
