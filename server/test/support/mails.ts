import { pino } from 'pino';
import { sql } from '../../src/db/sql.ts';
import { openContent } from '../../src/mail/content.ts';
import type { Content, Letter } from '../../src/mail/kinds.ts';
import { createSender, type Sender } from '../../src/mail/sender.ts';
import type { SmtpOptions } from '../../src/mail/smtp.ts';
import type { World } from '../world.ts';

const day = 86_400_000;

/** A reset of a password, unless told otherwise. */
export function letterTo(world: World, to: string, more: Partial<Letter> = {}): Letter {
  const expiresAtMs = world.clock.now() + day;
  const values = {
    url: 'https://portal.example/reset-password#s3cret',
    expiresAt: new Date(expiresAtMs).toISOString(),
  };
  return { to, locale: 'en', kind: 'password-reset', values, expiresAtMs, ...more } as Letter; // kind and values come together
}

/** Enqueues in a transaction of its own, as a command does in its. */
export function enqueue(world: World, to: string, more: Partial<Letter> = {}): Promise<boolean> {
  const letter = letterTo(world, to, more);
  return world.db.transaction((tx) => world.services.mail.enqueue(tx, letter, world.clock.now()));
}

/** What waits to be sent, oldest first. */
export async function waitingMails({ db, services }: World): Promise<Content[]> {
  const rows = await db.query<{ id: string; sealed: Buffer }>(sql`select id, sealed from mails order by id`);
  return rows.map(({ id, sealed }) => openContent(services.vault, id, sealed));
}

export type Lines = { mailId?: string; msg: string }[];

/** A sender of the world's instance, which sends when it is told to; and what it logs. */
export function openSender(
  { services, db }: World,
  smtp: SmtpOptions = {},
): Sender & { lines: Lines; wakes(): number } {
  const lines: Lines = [];
  let wakes = 0;
  const wake = () => {
    wakes += 1;
  };
  const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { ...createSender({ services, db, logger, smtp }, { wake }), lines, wakes: () => wakes };
}
