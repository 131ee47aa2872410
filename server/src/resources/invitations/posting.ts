import type { Services } from '../../auth/services.ts';
import { ApiError } from '../../contract/api-error.ts';
import type { Transaction } from '../../db/database.ts';
import { refuseIfLimited } from '../../limits/limits.ts';
import { selectLetter } from './queries.ts';

type Posted = { invitationId: string; url: string; expiresAtMs: number };

/** By then some of what waits may have been sent. */
const busySeconds = 60;

/** How links go out by mail, where a server is set. */
export function createPosting({ limits, mail }: Pick<Services, 'limits' | 'mail'>) {
  return {
    /** Whoever may invite could else fill the mailbox of anybody. */
    async admit(email: string): Promise<void> {
      if (mail.isOn)
        refuseIfLimited(await limits.take('invited', email.toLowerCase()), 'invitations to this address');
    },
    /**
     * With the invitation; false where no server is set, and the link is for who invites to hand over. Where there is one, nobody
     * but the mailbox is told a link: whoever has it is taken to be who the address belongs to.
     */
    async post(tx: Transaction, { invitationId, url, expiresAtMs }: Posted, nowMs: number): Promise<boolean> {
      if (!mail.isOn) return false;
      const { to, locale, ...facts } = await selectLetter(tx, invitationId);
      const values = { ...facts, url, expiresAt: new Date(expiresAtMs).toISOString() };
      if (await mail.enqueue(tx, { to, locale, kind: 'invitation', values, expiresAtMs }, nowMs)) return true;
      throw new ApiError('4290', 'too many mails wait for this address', {
        headers: { 'retry-after': String(busySeconds) },
      });
    },
  };
}
