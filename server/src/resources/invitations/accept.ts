import type { FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import type { AccountCaller, Nobody } from '../../auth/identity.ts';
import { hasAccountAlready, noInvitation } from '../../auth/portal/invitation-refusals.ts';
import { joinAsAccount, joinAsNewcomer } from '../../auth/portal/joining.ts';
import { newAccountId } from '../../auth/portal/new-account.ts';
import { invalidToken } from '../../auth/portal/roles.ts';
import { startSignIn } from '../../auth/portal/sign-ins.ts';
import { answerSignedIn } from '../../auth/portal/signed-in.ts';
import type { Services } from '../../auth/services.ts';
import { addressGroup } from '../../contract/address.ts';
import { invalidFields } from '../../contract/api-error.ts';
import { perform } from '../../contract/command.ts';
import type { Transactor } from '../../db/database.ts';
import { selectView } from './queries.ts';
import type { Acceptance, AcceptedInvitation } from './schema.ts';

type Body = Static<typeof Acceptance>;
type Answer = Promise<Static<typeof AcceptedInvitation>>;

/** No key of a client comes with it: a link works once. */
const call = { input: () => ({ path: {}, body: {} }), route: 'POST /web/v1/invitations/accept' };

/** What only someone without an account has to say. */
function requireNameAndPassword({ name, password }: Body): { name: string; password: string } {
  if (name !== undefined && password !== undefined) return { name, password };
  const absent = Object.entries({ name, password }).filter(([, value]) => value === undefined);
  throw invalidFields(
    '4000',
    absent.map(([field]) => ({ field, message: 'is required' })),
  );
}

export async function acceptAsAccount(
  own: { db: Transactor; now(): number },
  caller: AccountCaller,
  { token }: Body,
): Answer {
  const values = { token, nowMs: own.now(), account: caller.bizId, signIn: caller.signIn };
  const { answer } = await perform(joinAsAccount, own, {
    caller: { ...caller, told: null },
    values,
    ...call,
  });
  const { workspaceId, role } = answer;
  return { accountId: caller.bizId, workspaceId, role };
}

/** A password is hashed for who has a link that works, and before the transaction, which others wait for. */
export async function acceptAsNewcomer(
  services: Services,
  caller: Nobody,
  body: Body,
  reply: FastifyReply,
): Answer {
  const { db, now, passwords } = services;
  const { token, locale = 'en', session } = body;
  const found = await selectView(db, token, now());
  if (found === undefined) throw noInvitation();
  if (found.hasAccount) throw hasAccountAlready();
  const { name, password } = requireNameAndPassword(body);
  const passwordHash = await passwords.hash(password, addressGroup(caller.address ?? undefined));
  const nowMs = now();
  const bizId = newAccountId(nowMs);
  const newcomer = { ...caller, account: { bizId, name, passwordHash, locale }, told: null };
  const { answer } = await perform(joinAsNewcomer, services, {
    caller: newcomer,
    values: { token, nowMs },
    ...call,
  });
  const { id, workspaceId, role } = answer;
  const signIn = await startSignIn(services, id, caller);
  if (signIn === undefined) throw invalidToken();
  const tokens = await answerSignedIn(services, reply, signIn, session === 'cookie');
  return { accountId: bizId, workspaceId, role, ...tokens };
}
