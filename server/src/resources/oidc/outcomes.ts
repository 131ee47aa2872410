import { type Reason, Refused } from '../../auth/oidc/refusal.ts';
import type { Services } from '../../auth/services.ts';
import { toApiError } from '../../contract/error-answer.ts';
import { groupOf, type Visit } from './visit.ts';

/** Who changes their mind, or finds the provider away, did not try to be someone. */
const telling: Reason[] = ['failed', 'unknown'];
/** Too much to do, here or for one address; the catalogue has a code for it, the sign-in page one word. */
const busy = ['4290', '5030'];

/** The page on which a sign-in ends, and what is written down of it. */
export function createOutcomes({ config, failedSignIns }: Pick<Services, 'config' | 'failedSignIns'>) {
  const pageOf = (oidc: Reason | 'done', returnTo: string) =>
    `${config.basePath}/sign-in?${new URLSearchParams({ oidc, ...(returnTo === '/' ? {} : { return: returnTo }) })}`;
  const note = async (visit: Visit, { reason, accountBizId }: Refused) => {
    if (!telling.includes(reason)) return;
    const { address, requestId } = visit.caller;
    await failedSignIns.note({ accountBizId, address, group: groupOf(visit), requestId });
  };
  const explain = ({ request }: Visit, error: Error): Reason => {
    const isRefused = error instanceof Refused;
    if (!isRefused && !busy.includes(toApiError(error).code)) throw error;
    const reason = isRefused ? error.reason : 'unavailable';
    request.log.warn({ reason, cause: error.message }, 'no sign-in by OpenID Connect');
    return reason;
  };
  return {
    done: (returnTo: string) => pageOf('done', returnTo),
    async refused(visit: Visit, error: Error, returnTo: string): Promise<string> {
      const noted =
        error instanceof Refused
          ? await note(visit, error).then(
              () => error,
              (failure: Error) => failure,
            )
          : error;
      return pageOf(explain(visit, noted), returnTo);
    },
  };
}
