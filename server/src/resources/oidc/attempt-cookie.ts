import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Attempt } from '../../auth/oidc/relying-party.ts';
import { type Cookie, clearCookie, readCookie, writeCookie } from '../../auth/portal/cookies.ts';
import type { Person } from '../../auth/portal/roles.ts';
import type { Services } from '../../auth/services.ts';

/** Lax: the browser comes back from another site. */
const cookie: Cookie = { name: 'portico_oidc', path: '/web/v1/auth/oidc/callback', sameSite: 'Lax' };
const lifeSeconds = 600;
const owner = 'oidc-attempt';

/** An invitation that is accepted on the way. */
export type Accepting = {
  /** What its link carries; no address has it, so no log does. */
  token: string;
  /** The account whose access token was sent with it, and the sign-in of that; null: none was. */
  holder: Person | null;
};

/** A sign-in that was begun in a browser, and where it leads. */
export type Begun = Attempt & { returnTo: string; accepting?: Accepting | undefined };

type Kept = Begun & { endsAtMs: number };

/** Sealed in the browser, so that nothing has to be remembered of those who never come back. */
export function createAttemptCookie({ config, now, vault }: Pick<Services, 'config' | 'now' | 'vault'>) {
  const open = (sealed: string): Kept | undefined => {
    try {
      return JSON.parse(vault.open(Buffer.from(sealed, 'base64url'), owner)) as Kept; // nobody else can seal
    } catch {
      return undefined;
    }
  };
  return {
    write(reply: FastifyReply, begun: Begun): void {
      const kept: Kept = { ...begun, endsAtMs: now() + lifeSeconds * 1000 };
      const sealed = vault.seal(JSON.stringify(kept), owner).toString('base64url');
      writeCookie(config, reply, cookie, sealed, lifeSeconds);
    },
    /** What was begun in this browser. It is read once: the browser is told to forget it. */
    take(request: FastifyRequest, reply: FastifyReply): Begun | undefined {
      const sealed = readCookie(config, request, cookie);
      clearCookie(config, reply, cookie);
      const kept = sealed === undefined ? undefined : open(sealed);
      return kept !== undefined && kept.endsAtMs > now() ? kept : undefined;
    },
  };
}
