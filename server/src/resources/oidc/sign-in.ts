import { Refused } from '../../auth/oidc/refusal.ts';
import { newAttempt, type RelyingParty } from '../../auth/oidc/relying-party.ts';
import type { Identity } from '../../auth/portal/accounts.ts';
import { writeRefreshCookie } from '../../auth/portal/refresh-cookie.ts';
import { startSignIn } from '../../auth/portal/sign-ins.ts';
import type { Services } from '../../auth/services.ts';
import { ApiError } from '../../contract/api-error.ts';
import { refuseIfLimited } from '../../limits/limits.ts';
import { createTurns } from '../../limits/turns.ts';
import { acceptInvitation } from './accept.ts';
import { type Accepting, type Begun, createAttemptCookie } from './attempt-cookie.ts';
import { createOutcomes } from './outcomes.ts';
import { findBoundAccount } from './queries.ts';
import { groupOf, type Visit } from './visit.ts';

const what = 'sign-ins by OpenID Connect';

/** Those that wait for the provider. While it hangs, nobody else waits with them. */
const shares = { atOnceMax: 50, atOnceEach: 10, waitingMax: 500, waitingEach: 100, waitMs: 3000 };

const away = () =>
  new ApiError('5030', 'the OpenID Connect provider does not answer; try again', {
    headers: { 'retry-after': '5' },
  });

async function signIn(services: Services, { caller, reply }: Visit, identity: Identity): Promise<void> {
  const { config, db } = services;
  const account = await findBoundAccount(db, identity);
  const open = account?.isActive ? await startSignIn(services, account.id, caller) : undefined;
  if (open === undefined)
    throw new Refused('unknown', 'nobody who may sign in is bound to the subject', account?.bizId);
  writeRefreshCookie(config, reply, open.refreshToken, config.signInSeconds);
}

/** The two steps at the provider: the way there, and who came back. */
function createSteps(services: Services, party: RelyingParty) {
  const cookie = createAttemptCookie(services);
  const inTurn = createTurns(what, shares);
  const asking = async <Result>(visit: Visit, work: () => Promise<Result>): Promise<Result> => {
    refuseIfLimited(await services.limits.take('openIdConnect', groupOf(visit)), what);
    return inTurn(groupOf(visit), work);
  };
  return {
    take: ({ request, reply }: Visit) => cookie.take(request, reply),
    async begin(visit: Visit, way: Pick<Begun, 'returnTo' | 'accepting'>): Promise<string> {
      const attempt = newAttempt();
      const url = await asking(visit, () => party.begin(attempt));
      cookie.write(visit.reply, { ...attempt, ...way });
      return url;
    },
    async finish(visit: Visit, begun: Begun | undefined): Promise<void> {
      if (begun === undefined) throw new Refused('failed', 'nothing was begun in this browser, or long ago');
      const { accepting } = begun;
      const [, query = ''] = visit.request.url.split(/\?(.*)/s);
      const { identity, profile } = await asking(visit, async () => {
        const { profile: ask, ...identity } = await party.finish(begun, query);
        return { identity, profile: accepting && (await ask()) };
      });
      if (accepting !== undefined && profile !== undefined)
        await acceptInvitation(services, visit.caller, { ...accepting, identity, profile });
      await signIn(services, visit, identity);
    },
  };
}

/** Sends a browser to the provider and signs in who comes back. */
export function createSignIn(services: Services, party: RelyingParty) {
  const { begin, finish, take } = createSteps(services, party);
  const outcomes = createOutcomes(services);
  return {
    /** The address of the provider, for a page that has an invitation. */
    accept: (visit: Visit, accepting: Accepting): Promise<string> =>
      begin(visit, { returnTo: '/', accepting }).catch((error: unknown) => {
        throw error instanceof Refused ? away() : error;
      }),
    /** The same for a browser that goes there itself; or the address of a page that says why not. */
    start: (visit: Visit, returnTo: string): Promise<string> =>
      begin(visit, { returnTo }).catch((error: Error) => outcomes.refused(visit, error, returnTo)),
    async finish(visit: Visit): Promise<string> {
      const begun = take(visit);
      const { returnTo = '/' } = begun ?? {};
      return finish(visit, begun).then(
        () => outcomes.done(returnTo),
        (error: Error) => outcomes.refused(visit, error, returnTo),
      );
    },
  };
}
