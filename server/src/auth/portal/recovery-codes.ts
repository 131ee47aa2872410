import { createHash } from 'node:crypto';
import type { Queryable, Transaction } from '../../db/database.ts';
import { crockfordDigits, digitsOf, randomBigint } from '../../db/identifiers.ts';
import { sql } from '../../db/sql.ts';

const count = 10;
/** 100 bits: too many to be guessed, so a fast hash keeps them. */
const digits = 20;
const group = 5;

/** As it was written down: case, spaces and hyphens do not matter, and letters that look like digits are those. */
function plain(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
}

const hashOf = (code: string) => createHash('sha256').update(plain(code)).digest();

function newCode(): string {
  const text = digitsOf(randomBigint(13), crockfordDigits, digits);
  return (text.match(new RegExp(`.{${group}}`, 'g')) ?? []).join('-');
}

/** The codes go to their owner, once. */
export async function insertRecoveryCodes(tx: Transaction, accountId: number): Promise<string[]> {
  const codes = Array.from({ length: count }, newCode);
  await tx.query(sql`
    insert into recovery_codes (account_id, code_hash) select ${accountId}, unnest(${codes.map(hashOf)}::bytea[])`);
  return codes;
}

/** True once for each. */
export async function useRecoveryCode(db: Queryable, accountId: number, code: string): Promise<boolean> {
  const rows = await db.query(sql`
    delete from recovery_codes where account_id = ${accountId} and code_hash = ${hashOf(code)} returning 1`);
  return rows.length > 0;
}
