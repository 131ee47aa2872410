import { expect, it } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { auditActions } from '../src/log/actions.ts';
import { createSealer } from '../src/log/sealer.ts';
import { everythingDone } from './support/deeds.ts';
import { openWorld } from './world.ts';

const mailEnv = { PORTICO_SMTP_URL: 'smtp://127.0.0.1:9', PORTICO_MAIL_FROM: 'portico@example.com' };

it('no record of the audit log holds a password, a token or a secret, whatever was done', async () => {
  const world = await openWorld({ env: mailEnv });
  const hidden: string[] = [];
  for (const deeds of everythingDone) hidden.push(...(await deeds(world)));
  await createSealer(world.db)();
  const records = await world.db.query<{ action: string; text: string }>(
    sql`select action, a::text as text from audit_log a`,
  );
  expect([...new Set(records.map(({ action }) => action))].sort()).toEqual(Object.keys(auditActions));
  const all = records.map(({ text }) => text).join('\n');
  for (const text of hidden) expect([text, all.includes(text)]).toEqual([text, false]);
  for (const shape of [/sk_(live|test)_/, /rt_/, /\$argon2/]) expect(all).not.toMatch(shape);
  await world.close();
});
