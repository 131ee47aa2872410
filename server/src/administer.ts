import { userInfo } from 'node:os';
import { refuseInUse } from './admin/bootstrap.ts';
import type { ImportListener, ImportReport } from './admin/import/import.ts';
import { type ImportName, imports } from './admin/import/imports.ts';
import type { Operator } from './admin/operator.ts';
import { type ListName, lists, type TaskName, tasks } from './admin/tasks.ts';
import type { Tools } from './admin/tools.ts';
import { linkTo } from './auth/portal/links.ts';
import { loadMasterKey } from './auth/secrets/master-key.ts';
import { createVault } from './auth/secrets/vault.ts';
import { loadLinkConfig, loadMailConfig, loadSealingConfig } from './config/operator.ts';
import type { Environment } from './config.ts';
import type { Database } from './db/database.ts';
import { isMigrated, migrate } from './db/migrate.ts';
import { sql } from './db/sql.ts';
import { createMail } from './mail/mail.ts';
import { type Closable, explained, OperateError, openOperations } from './operations.ts';

export type { ImportListener, ImportName, ImportReport, ListName, TaskName };
export { OperateError };

export type OpenTask = Closable & { perform(): Promise<object> };
export type OpenList = Closable & { batches(): AsyncGenerator<object[]> };
export type OpenImport = Closable & {
  run(source: AsyncIterable<Uint8Array>, on: ImportListener): Promise<ImportReport>;
};

function toolsOf(environment: Environment): Tools {
  const vault = () => {
    const config = loadSealingConfig(environment);
    return createVault(loadMasterKey(config), config.masterKeysPrevious);
  };
  return {
    linkMaker: () => {
      const config = loadLinkConfig(environment);
      return (page, token) => linkTo(config, page, token);
    },
    vault,
    mail: () => {
      const { smtp } = loadMailConfig(environment);
      return smtp && createMail({ smtp }, vault());
    },
  };
}

/** As the log names who did it. */
function operatorOf(): Operator {
  try {
    const { username } = userInfo();
    return { user: /^[\w.@-]{1,64}$/.test(username) ? username : 'operator' };
  } catch {
    return { user: 'operator' }; // the system has no name for the user, as in some containers
  }
}

async function requireMigrated(db: Database): Promise<void> {
  if (!(await isMigrated(db)))
    throw new OperateError(
      'the database is not migrated: start the server once, or begin with portico admin bootstrap',
    );
}

/** What is wrong with the settings or with what was given is told before a database is opened. */
export async function openTask(environment: Environment, name: TaskName, given: object): Promise<OpenTask> {
  const work = await explained(() => tasks[name](toolsOf(environment))(given));
  const isFirst = name === 'bootstrap';
  const perform = (db: Database) => () =>
    explained<object>(() => work({ db, now: Date.now, operator: operatorOf() }));
  return openOperations(
    environment,
    async (db, connection) => {
      if (!isFirst) await requireMigrated(db);
      else {
        await db.query(sql`select 1`); // says better than a migration that there is no connection
        await refuseInUse(db);
        await migrate(connection);
      }
      return { perform: perform(db) };
    },
    { mayCreate: isFirst },
  );
}

export async function openList(environment: Environment, name: ListName, given: object): Promise<OpenList> {
  const list = await explained(() => lists[name](given));
  return openOperations(environment, async (db) => {
    await requireMigrated(db);
    return {
      async *batches() {
        const rows: AsyncGenerator<object[]> = list(db);
        for (;;) {
          const { done, value } = await explained(() => rows.next());
          if (done) return;
          yield value;
        }
      },
    };
  });
}

export async function openImport(
  environment: Environment,
  name: ImportName,
  given: object,
): Promise<OpenImport> {
  const work = await explained(() => imports[name](given));
  return openOperations(environment, async (db) => {
    await requireMigrated(db);
    const desk = { db, now: Date.now, operator: operatorOf() };
    return { run: (source, on) => explained(() => work(desk, source, on)) };
  });
}
