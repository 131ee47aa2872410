import { sql } from '../../src/db/sql.ts';
import type { World } from '../world.ts';
import { ownerId } from './own-account.ts';

/** A portal for those who operate the platform. */
export const adminPortal = { PORTICO_PORTALS: '{"admin":"ADMIN"}', PORTICO_DEFAULT_PORTAL: 'admin' };

/** Makes the owner of the demo one of them. */
export async function makeOperator({ db }: World, accountBizId = ownerId): Promise<void> {
  await db.query(sql`update accounts set is_operator = true where biz_id = ${accountBizId}`);
}
