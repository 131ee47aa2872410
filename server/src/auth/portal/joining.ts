import { Type } from 'typebox';
import { changesOf } from '../../contract/changes.ts';
import type { Act, Footing } from '../../contract/command.ts';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { AccountCaller, Nobody } from '../identity.ts';
import { type Identity, insertIdentity, isAddress, lockedAccount } from './accounts.ts';
import { shareAfter } from './in-turn.ts';
import { hasAccountAlready, isBoundAlready, isForAnother, noInvitation } from './invitation-refusals.ts';
import { type InvitationGround, lockedInvitation, updateInvitation } from './invitations.ts';
import { takeIn } from './member-changes.ts';
import { insertAccount, type NewAccount } from './new-account.ts';
import { invalidToken, type Person } from './roles.ts';

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

/** Capitals do not matter, and no other letters are folded: as the database compares addresses. */
const isSameAddress = (one: string, other: string) => {
  const fold = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return fold(one) === fold(other);
};

async function join(step: { tx: Transaction; nowMs: number; place: InvitationGround }, accountId: number) {
  const { tx, nowMs, place } = step;
  const { invitationId, workspaceBizId: workspaceId, role } = place;
  await updateInvitation(tx, invitationId, 'ACCEPTED');
  const { told } = await takeIn(tx, place, { accountId, role }, nowMs);
  return {
    answer: { id: accountId, workspaceId, role },
    changes: { ...told.changes, ...changesOf({}, { invitationId }) },
    event: told.event,
  };
}

/** Who someone is to an outside issuer, and by which address, if it tells one. */
type Told = { identity: Identity; email: string | undefined };

/** From now on the account is theirs to sign in to. An issuer that tells another address has someone else before it. */
async function bind(tx: Transaction, accountId: number, invited: string, { identity, email }: Told) {
  if (!isSameAddress(email ?? invited, invited)) throw isForAnother();
  if (!(await insertIdentity(tx, accountId, identity))) throw isBoundAlready();
}

/** Who has the link, and an account only if it is accepted. */
export type Newcomer = Pick<Nobody, 'address' | 'requestId'> & {
  account: Omit<NewAccount, 'email'>;
  /** Null: whoever has the link. */
  told: Told | null;
};

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
    const { account, told } = step.caller;
    const { email } = step.place;
    const id = await insertAccount(step.tx, { ...account, email }, step.nowMs);
    if (id === undefined) throw hasAccountAlready();
    if (told !== null) await bind(step.tx, id, email, told);
    const { changes, ...joined } = await join(step, id);
    const made = changesOf({}, { email, name: account.name, ...told?.identity });
    return { ...joined, subject: account.bizId, changes: { ...made, ...changes } };
  },
};

type AccountGround = InvitationGround & { accountId: number; accountName: string; isInvited: boolean };

/** An account, as its token says, or as it is bound to who came. */
type Holder = Pick<AccountCaller, 'bizId' | 'address' | 'requestId'> & {
  /** Who is to be bound to it; null: nobody anew. */
  told: Told | null;
};

const byLinkAndAccount: Footing<Holder, Link & Person, AccountGround> = {
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

export const joinAsAccount: Joining<Holder, Link & Person, AccountGround> = {
  path: Nothing,
  answer: Joined,
  place: byLinkAndAccount,
  action: 'member.added',
  async run(step) {
    const { isInvited, accountId, email } = step.place;
    const { bizId, told } = step.caller;
    if (!isInvited) throw isForAnother();
    if (told !== null) await bind(step.tx, accountId, email, told);
    const { changes, ...joined } = await join(step, accountId);
    return { ...joined, subject: bizId, changes: { ...changesOf({}, { ...told?.identity }), ...changes } };
  },
};
