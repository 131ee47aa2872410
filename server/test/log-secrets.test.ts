import { Ajv } from 'ajv';
import { type TObject, Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { eventSchemas } from '../src/event-schemas.ts';
import { auditActions } from '../src/log/actions.ts';
import { eventTypeCodes, isEventType } from '../src/log/event-types.ts';
import { createSealer } from '../src/log/sealer.ts';
import { everythingDone } from './support/deeds.ts';
import { openWorld, type World } from './world.ts';

const mailEnv = { PORTICO_SMTP_URL: 'smtp://127.0.0.1:9', PORTICO_MAIL_FROM: 'portico@example.com' };

let world: World;
let from: number;
const hidden: string[] = [];
beforeAll(async () => {
  world = await openWorld({ env: mailEnv });
  const [head] = await world.db.query<{ sequence: number }>(
    sql`select sequence from log_heads where log = 'audit'`,
  );
  from = head?.sequence ?? 0;
});
afterAll(() => world.close());

function expectNoSecret(all: string): void {
  for (const text of hidden) expect([text, all.includes(text)]).toEqual([text, false]);
  for (const shape of [/sk_(live|test)_/, /rt_/, /\$argon2/, /whsec_/]) expect(all).not.toMatch(shape);
}

describe('whatever was done', () => {
  it('is all that can be written down, and no record of it holds a password, a token or a secret', async () => {
    for (const deeds of everythingDone) hidden.push(...(await deeds(world)));
    await createSealer(world.db)();
    const records = await world.db.query<{ action: string; text: string }>(
      sql`select action, a::text as text from audit_log a`,
    );
    expect([...new Set(records.map(({ action }) => action))].sort()).toEqual(Object.keys(auditActions));
    expectNoSecret(records.map(({ text }) => text).join('\n'));
  });

  it('no event holds one either', async () => {
    const events = await world.db.query<{ text: string }>(sql`select e::text as text from events e`);
    expectNoSecret(events.map(({ text }) => text).join('\n'));
  });

  it('every record whose action is a type of event has its event, of a mode but for members, and no other has one but a test', async () => {
    const rows = await world.db.query<{
      action: string;
      type: string | null;
      hasMode: boolean;
      isOwn: boolean;
    }>(sql`
      select a.action, e.type, e.mode is not null as "hasMode", e.workspace_id = a.workspace_id and e.occurred_at = a.occurred_at as "isOwn"
      from audit_log a left join events e on e.sequence = a.sequence where a.sequence > ${from}`);
    const told = rows.filter(({ action, type }) => type !== null || isEventType(action));
    for (const { action, type, hasMode, isOwn } of told)
      expect({ action, type, hasMode, isOwn }).toEqual({
        action,
        type: action === 'channel.tested' ? 'ping' : action,
        hasMode: !action.startsWith('member.'),
        isOwn: true,
      });
    expect([...new Set(told.map(({ type }) => type))].sort()).toEqual([...eventTypeCodes].sort());
  });

  it('every event carries just what its type is described with', async () => {
    const ajv = new Ajv({ strict: false, formats: { 'date-time': /Z$/ } });
    const strict = ({ properties }: TObject) => Type.Object(properties, { additionalProperties: false });
    const events = await world.db.query<{ type: keyof typeof eventSchemas; data: string }>(
      sql`select e.type, e.data from events e join audit_log a on a.sequence = e.sequence order by e.sequence`,
    );
    for (const { type, data } of events) {
      const validate = ajv.compile(strict(eventSchemas[type]));
      expect([type, validate(JSON.parse(data)), validate.errors]).toEqual([type, true, null]);
    }
  });
});
