import type { LinkedPage } from '../auth/portal/links.ts';
import type { Vault } from '../auth/secrets/vault.ts';
import type { Mail } from '../mail/mail.ts';

/** What some tasks need beside the database. Each says what is not configured when it is asked for, and not sooner. */
export type Tools = {
  linkMaker(): (page: LinkedPage, token: string) => string;
  vault(): Vault;
  /** Undefined where no mails are sent. */
  mail(): Mail | undefined;
};
