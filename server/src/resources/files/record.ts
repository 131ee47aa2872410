import type { Static } from 'typebox';
import { selectOne } from '../../contract/collection.ts';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { institutionFiles } from './collection.ts';
import type { FileRecord } from './schema.ts';

/** Of a file that the transaction has locked or written. */
export async function recordOf(
  tx: Transaction,
  bizId: string,
  nowMs: number,
): Promise<Static<typeof FileRecord>> {
  const record = await selectOne(tx, institutionFiles, [sql`f.biz_id = ${bizId}`], nowMs);
  if (record === undefined) throw new Error(`${bizId} is not there`);
  return record;
}
