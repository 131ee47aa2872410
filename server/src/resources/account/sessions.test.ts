import { collectionSuite } from '../../../test/suites/collection.ts';
import { accountUrl, ownerId } from '../../../test/support/own-account.ts';
import { portalCall, tokenOf, type World } from '../../../test/world.ts';
import { sql } from '../../db/sql.ts';
import { sessions } from './collection.ts';
import { SessionRecord } from './schema.ts';

const others = 24;
const tokens = new WeakMap<World, Promise<string>>();

/** One of the sign-ins, beside others of which several were seen at once. */
async function openSessions(world: World): Promise<string> {
  await world.db.query(sql`
    insert into sign_ins (account_id, created_at, seen_at)
    select a.id, now() - n * interval '1 hour', now() - n / 3 * interval '1 minute'
    from accounts a, generate_series(1, ${others}) n where a.biz_id = ${ownerId}`);
  return tokenOf(world, ownerId);
}

function tokenIn(world: World): Promise<string> {
  const token = tokens.get(world) ?? openSessions(world);
  tokens.set(world, token);
  return token;
}

collectionSuite({
  name: 'list sessions',
  shape: 'flat',
  fields: Object.keys(SessionRecord.properties),
  sortable: Object.keys(sessions.sortable),
  defaultSort: 'lastSeenAt,desc',
  id: 'sessionId',
  async total(world) {
    await tokenIn(world);
    return others + 1;
  },
  async get(world, query, noMatch) {
    const token = noMatch ? await tokenOf(world, 'ACC_DEMO_VIEWER') : await tokenIn(world);
    if (noMatch)
      await world.db.query(sql`
        update sign_ins set expires_at = now() - interval '1 hour'
        where account_id = (select id from accounts where biz_id = 'ACC_DEMO_VIEWER')`);
    return portalCall(world, token, { method: 'GET', url: `${accountUrl}/sessions${query}` });
  },
});
