import type { Profile } from '../../auth/oidc/profile.ts';
import { Refused } from '../../auth/oidc/refusal.ts';
import type { Identity } from '../../auth/portal/accounts.ts';
import { isBoundAlready } from '../../auth/portal/invitation-refusals.ts';
import { joinAsAccount, joinAsNewcomer } from '../../auth/portal/joining.ts';
import { newAccountId } from '../../auth/portal/new-account.ts';
import { cleanName } from '../../auth/portal/person-fields.ts';
import type { Services } from '../../auth/services.ts';
import { ApiError } from '../../contract/api-error.ts';
import { perform } from '../../contract/command.ts';
import type { Accepting } from './attempt-cookie.ts';
import { findBoundAccount } from './queries.ts';
import type { Visit } from './visit.ts';

/** No key of a client comes with it: a link works once. */
const call = { input: () => ({ path: {}, body: {} }), route: 'GET /web/v1/auth/oidc/callback' };

type Acceptance = Accepting & { identity: Identity; profile: Profile };

/** A link and an address are no proof of who an account belongs to: its access token is, or that it was bound before. */
async function join(
  services: Services,
  caller: Visit['caller'],
  { token, holder, identity, profile }: Acceptance,
): Promise<void> {
  const link = { token, nowMs: services.now() };
  const bound = await findBoundAccount(services.db, identity);
  const account = holder ?? (bound && { account: bound.bizId, signIn: null });
  if (bound !== undefined && account?.account !== bound.bizId) throw isBoundAlready();
  if (bound === undefined && profile.isUnverified)
    throw new Refused('invitation', 'the provider has not verified the e-mail address');
  const { email, name, locale } = profile;
  const told = { identity, email };
  if (account === undefined) {
    const bizId = newAccountId(link.nowMs);
    const made = { bizId, name: name || cleanName(identity.subject) || bizId, passwordHash: null, locale };
    await perform(joinAsNewcomer, services, {
      caller: { ...caller, account: made, told },
      values: link,
      ...call,
    });
    return;
  }
  const its = { ...caller, bizId: account.account, told: bound === undefined ? told : null };
  await perform(joinAsAccount, services, { caller: its, values: { ...link, ...account }, ...call });
}

const reasons: Record<string, 'invitation' | 'unknown'> = {
  '4010': 'unknown',
  '4030': 'invitation',
  '4040': 'invitation',
  '4090': 'invitation',
  '4096': 'invitation',
};

/** Makes who came a member: in the account they are bound to, in their own, or in a new one; to these they are bound then. */
export async function acceptInvitation(
  services: Services,
  caller: Visit['caller'],
  acceptance: Acceptance,
): Promise<void> {
  await join(services, caller, acceptance).catch((error: unknown) => {
    const reason = error instanceof ApiError ? reasons[error.code] : undefined;
    throw reason === undefined ? error : new Refused(reason, (error as ApiError).message); // it has a reason
  });
}
