import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Nobody } from '../../auth/identity.ts';
import { type Reason, Refused } from '../../auth/oidc/refusal.ts';
import { newAttempt, type Person, type RelyingParty } from '../../auth/oidc/relying-party.ts';
import { writeRefreshCookie } from '../../auth/portal/refresh-cookie.ts';
import { startSignIn } from '../../auth/portal/sign-ins.ts';
import type { Services } from '../../auth/services.ts';
import { addressGroup } from '../../contract/address.ts';
import { toApiError } from '../../contract/error-answer.ts';
import { refuseIfLimited } from '../../limits/limits.ts';
import { createTurns } from '../../limits/turns.ts';
import { createAttemptCookie } from './attempt-cookie.ts';
import { findBoundAccount } from './queries.ts';

const what = 'sign-ins by OpenID Connect';

/** Those that wait for the provider. While it hangs, nobody else waits with them. */
const shares = { atOnceMax: 50, atOnceEach: 10, waitingMax: 500, waitingEach: 100, waitMs: 3000 };

/** Who changes their mind, or finds the provider away, did not try to be someone. */
const telling: Reason[] = ['failed', 'unknown'];
/** Too much to do, here or for one address; the catalogue has a code for it, the sign-in page one word. */
const busy = ['4290', '5030'];

type Visit = { caller: Nobody; request: FastifyRequest; reply: FastifyReply };

/** Sends a browser to the provider and signs in who comes back. Whatever happens, the next address is a page. */
export function createSignIn(services: Services, party: RelyingParty) {
  const { config, db, failedSignIns, limits } = services;
  const cookie = createAttemptCookie(services);
  const inTurn = createTurns(what, shares);
  const pageOf = (oidc: Reason | 'done', returnTo: string) =>
    `${config.basePath}/sign-in?${new URLSearchParams({ oidc, ...(returnTo === '/' ? {} : { return: returnTo }) })}`;
  const groupOf = ({ caller }: Visit) => addressGroup(caller.address ?? undefined);
  const asking = async <Result>(visit: Visit, work: () => Promise<Result>): Promise<Result> => {
    refuseIfLimited(await limits.take('openIdConnect', groupOf(visit)), what);
    return inTurn(groupOf(visit), work);
  };
  const signIn = async ({ caller, reply }: Visit, person: Person) => {
    const account = await findBoundAccount(db, person);
    const open = account?.isActive ? await startSignIn(services, account.id, caller) : undefined;
    if (open === undefined)
      throw new Refused('unknown', 'nobody who may sign in is bound to the subject', account?.bizId);
    writeRefreshCookie(config, reply, open.refreshToken, config.signInSeconds);
  };
  const note = async (visit: Visit, error: unknown): Promise<never> => {
    if (error instanceof Refused && telling.includes(error.reason)) {
      const { address, requestId } = visit.caller;
      const { accountBizId } = error;
      await failedSignIns.note({ accountBizId, address, group: groupOf(visit), requestId });
    }
    throw error;
  };
  const explain = ({ request }: Visit, error: Error): Reason => {
    const { code } = toApiError(error);
    if (!(error instanceof Refused) && !busy.includes(code)) throw error;
    const reason = error instanceof Refused ? error.reason : 'unavailable';
    request.log.warn({ reason, cause: error.message }, 'no sign-in by OpenID Connect');
    return reason;
  };
  return {
    /** Gives the address of the provider, or that of a page that says why not. */
    async start(visit: Visit, returnTo: string): Promise<string> {
      const attempt = newAttempt();
      try {
        const url = await asking(visit, () => party.begin(attempt));
        cookie.write(visit.reply, { ...attempt, returnTo });
        return url;
      } catch (error) {
        return pageOf(explain(visit, error as Error), returnTo); // nothing else is thrown
      }
    },
    async finish(visit: Visit): Promise<string> {
      const begun = cookie.take(visit.request, visit.reply);
      const finish = async () => {
        if (begun === undefined)
          throw new Refused('failed', 'nothing was begun in this browser, or long ago');
        const [, query = ''] = visit.request.url.split(/\?(.*)/s);
        await signIn(visit, await asking(visit, () => party.finish(begun, query)));
      };
      const returnTo = begun?.returnTo ?? '/';
      try {
        await finish().catch((error: unknown) => note(visit, error));
        return pageOf('done', returnTo);
      } catch (error) {
        return pageOf(explain(visit, error as Error), returnTo); // as above
      }
    },
  };
}
