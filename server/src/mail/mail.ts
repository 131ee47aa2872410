import type { Config } from '../config.ts';
import { isMailAddress } from '../contract/mail-address.ts';
import type { Transaction } from '../db/database.ts';
import { ulid } from '../db/identifiers.ts';
import { type Sealing, sealContent } from './content.ts';
import type { Letter } from './kinds.ts';
import { insertMail } from './queries.ts';

/** Mails that wait for one recipient; who asks for more has them left out. */
export const waitingMax = 20;

export type Mail = {
  /** A server is set. Otherwise links are given to who asked for them, and nothing is enqueued. */
  isOn: boolean;
  /**
   * Kept with what the transaction changes, and sent soon after its commit; no server is waited for. False: too many wait for
   * this recipient already, and this one is left out.
   */
  enqueue(tx: Transaction, letter: Letter, nowMs: number): Promise<boolean>;
  /** Something may be there to be sent. */
  wake(): void;
  /** Whoever sends in this instance is told so. */
  onWake(listener: () => void): void;
};

export function createMail({ smtp }: Pick<Config, 'smtp'>, vault: Sealing): Mail {
  const listeners: (() => void)[] = [];
  const wake = () => {
    for (const listener of listeners) listener();
  };
  return {
    isOn: smtp !== undefined,
    async enqueue(tx, letter, nowMs) {
      if (smtp === undefined) throw new Error('a mail was enqueued without PORTICO_SMTP_URL');
      if (!isMailAddress(letter.to)) throw new Error('a mail was enqueued for what is no address');
      const id = ulid(nowMs);
      const { expiresAtMs } = letter;
      const isTaken = await insertMail(
        tx,
        { id, ...sealContent(vault, id, letter), nowMs, expiresAtMs },
        waitingMax,
      );
      if (isTaken) tx.afterCommit(wake);
      return isTaken;
    },
    wake,
    onWake: (listener) => void listeners.push(listener),
  };
}
