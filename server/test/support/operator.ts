import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { lists, type TaskName, tasks } from '../../src/admin/tasks.ts';
import type { Tools } from '../../src/admin/tools.ts';
import { sql } from '../../src/db/sql.ts';
import { createMail } from '../../src/mail/mail.ts';
import type { World } from '../world.ts';

export type Answer = Record<string, unknown>;

/** What a record of an operator holds. */
export const recorded = (action: string, subjectId: string, changes: object, place: object = {}) => ({
  actorType: 'OPERATOR',
  actorId: 'root',
  actorName: 'root',
  ipAddress: null,
  action,
  subjectType: expect.any(String),
  subjectId,
  changes,
  institutionId: null,
  workspaceId: null,
  ...place,
});

/** A mail server that nobody has to answer as: what is enqueued for it waits. */
const smtp = { host: '127.0.0.1', port: 1, isSecure: false, mayBePlain: true };

export function toolsOf({ services }: World): Tools & { mailing: Tools } {
  const tools: Tools = {
    linkMaker: () => (page, token) => `https://portal.test/${page}#${token}`,
    vault: () => services.vault,
    mail: () => undefined,
  };
  return { ...tools, mailing: { ...tools, mail: () => createMail({ smtp }, services.vault) } };
}

export async function run(
  world: World,
  name: TaskName,
  given: object = {},
  tools: Tools = toolsOf(world),
): Promise<Answer> {
  const desk = { db: world.db, now: world.clock.now, operator: { user: 'root' } };
  return { ...(await tasks[name](tools)(given)(desk)) };
}

/** The code and text of a refusal. */
export async function refusal(world: World, name: TaskName, given: object): Promise<string> {
  try {
    await run(world, name, given);
    return 'none';
  } catch (error) {
    const { code, message } = error as { code: string; message: string }; // an ApiError, or the test fails by its text
    return `${code} ${message}`;
  }
}

export async function lastRecord({ db }: World): Promise<Answer | undefined> {
  const [row] = await db.query<Answer>(sql`
    select actor_type::text as "actorType", actor_id as "actorId", actor_name as "actorName", ip_address as "ipAddress",
      action, subject_type as "subjectType", subject_id as "subjectId", changes::jsonb as changes,
      institution_id as "institutionId", workspace_id as "workspaceId"
    from audit_waiting order by id desc limit 1`);
  return row;
}

export async function rowsOf({ db }: World, name: keyof typeof lists, given: object = {}): Promise<Answer[]> {
  const rows: Answer[] = [];
  for await (const batch of lists[name](given)(db) as AsyncGenerator<object[]>)
    rows.push(...(batch as Answer[]));
  return rows;
}

let people = 0;
/** An account of its own for each test. */
export async function newcomer(world: World): Promise<{ accountId: string; email: string }> {
  const email = `person-${++people}@acme.test`;
  const { accountId } = await run(world, 'addAccount', { email, name: `Person ${people}` });
  return { accountId: String(accountId), email };
}

export async function newWorkspace(world: World, ...owners: string[]): Promise<string> {
  const workspace = `WS_${randomBytes(6).toString('hex')}`;
  await run(world, 'addWorkspace', { workspace, institution: 'INST_DEMO', name: workspace });
  for (const account of owners) await run(world, 'addMember', { workspace, account, role: 'OWNER' });
  return workspace;
}
