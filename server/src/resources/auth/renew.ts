import { addToken, graceSeconds, hashOf, type SignIn, signInOf } from '../../auth/portal/refresh-tokens.ts';
import { type Holder, type Origin, signInRecord } from '../../auth/portal/sign-in-records.ts';
import { holder, type OpenSignIn, revokeSignIns } from '../../auth/portal/sign-ins.ts';
import type { Vault } from '../../auth/secrets/vault.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { instant, named, sql } from '../../db/sql.ts';
import { appendRecords } from '../../log/append.ts';

type LockedSignIn = SignIn & Holder & { endsAtMs: number };
type TokenState = {
  isExpired: boolean;
  replacedSecondsAgo: number | null;
  hasUsedChild: boolean;
  successor: Buffer | null;
};

const successorOwner = (hash: Buffer) => `refresh-token:${hash.toString('hex')}`;

/** Locks the sign-in, so that its tokens are judged and replaced one at a time. */
const lockSignIn = (token: string, nowMs: number) =>
  named(
    'lock_sign_in',
    sql`
      select s.id, s.family, extract(epoch from s.expires_at)::float8 * 1000 as "endsAtMs", ${holder}
      from sign_ins s join accounts a on a.id = s.account_id and a.status = 'ACTIVE'
      where s.id = ${signInOf(token)} and s.revoked_at is null and s.expires_at > ${instant(nowMs)}
      for update of s`,
  );

/** A statement of its own: the one that locks may have waited for who replaces the token, and not see it. */
function stateOf(hash: Buffer, nowMs: number) {
  const now = instant(nowMs);
  const statement = sql`
    select t.expires_at <= ${now} as "isExpired", t.successor,
      extract(epoch from ${now} - t.replaced_at)::float8 as "replacedSecondsAgo",
      exists (select 1 from refresh_tokens c where c.parent_hash = t.token_hash and c.replaced_at is not null) as "hasUsedChild"
    from refresh_tokens t where t.token_hash = ${hash}`;
  return named('refresh_token_state', statement);
}

/** A token that was replaced earlier than the grace allows was copied. So was one that has no row any more: it was replaced long ago. */
function isCopied({ replacedSecondsAgo, hasUsedChild }: TokenState): boolean {
  return replacedSecondsAgo !== null && (replacedSecondsAgo > graceSeconds || hasUsedChild);
}

/** Puts a successor in the place of a token. Of those before it no row is left: their use ends the sign-in without one too. */
function replaceToken(
  tx: Transaction,
  vault: Vault,
  signIn: LockedSignIn,
  hash: Buffer,
  nowMs: number,
): string {
  const successor = addToken(tx, signIn, hash, signIn.endsAtMs);
  const now = instant(nowMs);
  const replaced = sql`
    update refresh_tokens set replaced_at = ${now}, successor = ${vault.seal(successor, successorOwner(hash))}
    where token_hash = ${hash}`;
  tx.last(named('replace_refresh_token', replaced));
  const renewed = sql`update sign_ins set renewed_at = ${now}, seen_at = ${now} where id = ${signIn.id}`;
  tx.last(named('renew_sign_in', renewed));
  const forgotten = sql`
    delete from refresh_tokens
    where sign_in_id = ${signIn.id} and has_family and replaced_at is not null and token_hash <> ${hash}`;
  tx.last(named('forget_refresh_tokens', forgotten));
  return successor;
}

/** Replaces a token; one that is sent again within its grace has the same successor. With one that was copied its whole sign-in ends. */
export async function renew(
  db: Database,
  vault: Vault,
  token: string,
  origin: Origin,
  nowMs: number,
): Promise<OpenSignIn | undefined> {
  const hash = hashOf(token);
  return db.transaction(async (tx) => {
    const [[signIn], [state]] = await Promise.all([
      tx.look<LockedSignIn>(lockSignIn(token, nowMs)),
      tx.look<TokenState>(stateOf(hash, nowMs)),
    ]);
    if (signIn === undefined) return undefined;
    if (state?.isExpired) return undefined;
    if (state === undefined || isCopied(state)) {
      await revokeSignIns(tx, sql`select ${signIn.id}::uuid`, nowMs);
      await appendRecords(tx, [signInRecord('account.refresh-token-reused', signIn, origin, nowMs)]);
      return undefined;
    }
    const refreshToken =
      state.successor === null
        ? replaceToken(tx, vault, signIn, hash, nowMs)
        : vault.open(state.successor, successorOwner(hash));
    const { id: signInId, accountBizId, endsAtMs } = signIn;
    return { signInId, accountBizId, refreshToken, endsAtMs };
  });
}
