import type { FastifyRequest } from 'fastify';
import type { Access } from '../contract/endpoint.ts';
import type { AccountCaller, Identity, KeyCaller, Nobody, SigningIn, Solver } from './identity.ts';
import type { RequiredScope } from './signed/key-checks.ts';

type Type = Identity['type'];
type Of<Wanted extends Type> = Extract<Identity, { type: Wanted }>;

const isOf = <Wanted extends Type>(
  identity: Identity | undefined,
  wanted: readonly Wanted[],
): identity is Of<Wanted> => wanted.some((type) => identity?.type === type);

/** The caller that the chain of a route lets pass, and no other. */
function callerOf<Wanted extends Type>(...wanted: readonly Wanted[]) {
  return ({ identity, routeOptions }: FastifyRequest): Of<Wanted> => {
    if (!isOf(identity, wanted))
      throw new Error(`${routeOptions.url} was reached by no ${wanted.join(' or ')}`);
    return identity;
  };
}

const nothing = async () => {};

/** Open to everyone; part of a sign-in, so it does not wait in line with lists. */
export const byNobody: Access<Nobody> = {
  config: { enableJwtToken: false, enableTurnstile: false, isUrgent: true },
  callerOf: callerOf('nobody'),
  confirm: nothing,
};

/** For someone who has no token yet, and solved a challenge. */
export const bySolver: Access<Solver> = {
  config: { enableJwtToken: false, enableTurnstile: true, isUrgent: true },
  callerOf: callerOf('solver'),
  confirm: nothing,
};

/** The same for a sign-in, which asks `requireFor` before it tells anything. */
export const bySigningIn: Access<SigningIn> = {
  config: { ...bySolver.config, isSignIn: true },
  callerOf: callerOf('signing in'),
  confirm: nothing,
};

/** For a person with an access token. */
export const byAccount: Access<AccountCaller> = {
  config: { enableJwtToken: true, enableTurnstile: false },
  callerOf: callerOf('account'),
  confirm: ({ account }) => account(),
  askerOf: ({ bizId }) => bizId,
};

/** The same for what an account changes about itself, whatever its role. */
export const byAccountItself: Access<AccountCaller> = {
  ...byAccount,
  config: { ...byAccount.config, changesAccount: true },
};

/** For both: who sends an access token is that person, and a token that is wrong is refused. */
export const byAccountOrNobody: Access<AccountCaller | Nobody> = {
  config: { enableJwtToken: false, takesJwtToken: true, enableTurnstile: false, isUrgent: true },
  callerOf: callerOf('account', 'nobody'),
  confirm: async (caller) => caller.type === 'account' && caller.account(),
  askerOf: (caller) => (caller.type === 'account' ? caller.bizId : undefined),
};

/** The same for what belongs to a sign-in. */
export const byAccountAtOnce: Access<AccountCaller> = {
  ...byAccount,
  config: { ...byAccount.config, isUrgent: true },
};

/** For a person with an access token who solved a challenge. */
export const byChallengedAccount: Access<AccountCaller> = {
  ...byAccount,
  config: { enableJwtToken: true, enableTurnstile: true },
};

/** For a program whose key has the scope. */
export const byKey = (scope: RequiredScope): Access<KeyCaller> => ({
  config: { scope },
  callerOf: callerOf('key'),
  confirm: nothing,
});

/** The same for what tells whether a signature works: others wait for it, and it asks the database for nothing more. */
export const byAnyKeyAtOnce: Access<KeyCaller> = {
  ...byKey('any'),
  config: { ...byKey('any').config, isUrgent: true },
};
