import { Type } from 'typebox';
import type { AccountCaller, Nobody } from '../../auth/identity.ts';
import { lockedAccount } from '../../auth/portal/accounts.ts';
import { shareAfter } from '../../auth/portal/in-turn.ts';
import { isAddress } from '../../auth/portal/invitations.ts';
import { takeIn } from '../../auth/portal/member-changes.ts';
import { insertAccount, type NewAccount } from '../../auth/portal/new-account.ts';
import { invalidToken, type Person } from '../../auth/portal/roles.ts';
import { ApiError } from '../../contract/api-error.ts';
import { changesOf } from '../../contract/changes.ts';
import type { Act, Footing } from '../../contract/command.ts';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { type InvitationGround, lockedInvitation, updateInvitation } from './queries.ts';
import { hasAccountAlready, noInvitation } from './refusals.ts';

const Nothing = Type.Object({});
const Joined = Type.Object({ id: Type.Integer(), workspaceId: Type.String(), role: Type.String() });

type Link = { token: string; nowMs: number };
type Joining<Caller, Values extends object, Ground extends InvitationGround> = Act<
  Caller,
  Values,
  Ground,
  typeof Nothing,
  typeof Nothing,
  typeof Joined
>;

async function join(step: { tx: Transaction; nowMs: number; place: InvitationGround }, accountId: number) {
  const { tx, nowMs, place } = step;
  const { invitationId, workspaceBizId: workspaceId, role } = place;
  await updateInvitation(tx, invitationId, 'ACCEPTED');
  const changes = await takeIn(tx, place, { accountId, role }, nowMs);
  return {
    answer: { id: accountId, workspaceId, role },
    changes: { ...changes, ...changesOf({}, { invitationId }) },
  };
}

/** Who has the link, and an account only if it is accepted. */
export type Newcomer = Pick<Nobody, 'address' | 'requestId'> & { account: Omit<NewAccount, 'email'> };

const byLink: Footing<Newcomer, Link, InvitationGround> = {
  lock: ({ token, nowMs }) => sql`
    select i.*, case when i."invitationId" is null then 'invitation' end as missing
    from (values (1)) asked left join ${lockedInvitation(token, nowMs)} on true`,
  refusal: noInvitation,
  actor: ({ account: { bizId, name }, address, requestId }) => ({
    type: 'ACCOUNT',
    id: bizId,
    name,
    address,
    requestId,
  }),
};

export const joinAsNewcomer: Joining<Newcomer, Link, InvitationGround> = {
  path: Nothing,
  answer: Joined,
  place: byLink,
  action: 'member.added',
  async run(step) {
    const { account } = step.caller;
    const { email } = step.place;
    const id = await insertAccount(step.tx, { ...account, email }, step.nowMs);
    if (id === undefined) throw hasAccountAlready();
    const { answer, changes } = await join(step, id);
    const made = changesOf({}, { email, name: account.name });
    return { answer, subject: account.bizId, changes: { ...made, ...changes } };
  },
};

type AccountGround = InvitationGround & { accountId: number; accountName: string; isInvited: boolean };

const byLinkAndAccount: Footing<AccountCaller, Link & Person, AccountGround> = {
  lock: ({ token, nowMs, account, signIn }) => sql`
    select i.*, a.id as "accountId", a.name as "accountName",
      exists (select 1 from accounts o where o.id = a.id and ${isAddress(sql`o.email`, sql`i.email`)}) as "isInvited",
      case when a.id is null then 'account' when i."invitationId" is null then 'invitation' end as missing
    from (values (1)) asked left join ${lockedInvitation(token, nowMs)} on true
    left join ${lockedAccount(account, signIn, shareAfter(sql`i."workspaceId"`))} on true`,
  refusal: (missing) => (missing === 'account' ? invalidToken() : noInvitation()),
  actor: ({ bizId, address, requestId }, { accountName }) => ({
    type: 'ACCOUNT',
    id: bizId,
    name: accountName,
    address,
    requestId,
  }),
};

export const joinAsAccount: Joining<AccountCaller, Link & Person, AccountGround> = {
  path: Nothing,
  answer: Joined,
  place: byLinkAndAccount,
  action: 'member.added',
  async run(step) {
    const { isInvited, accountId } = step.place;
    if (!isInvited) throw new ApiError('4030', 'the invitation is for another e-mail address');
    return { ...(await join(step, accountId)), subject: step.caller.bizId };
  },
};
