import type { PortalKind } from '../config/values.ts';
import type { Account } from './portal/accounts.ts';
import type { SignInChallenge, SolvedChallenge } from './portal/turnstile.ts';
import type { KeyFacts } from './signed/api-key-lookup.ts';

/** Where a request comes from. */
type Origin = {
  /** Null when a trusted proxy names one that cannot be read. */
  address: string | null;
  requestId: string;
};

type Visitor = Origin & {
  portal: PortalKind | undefined;
  /** What the client calls itself, cut to what is kept of it. */
  userAgent: string | null;
};

/** Nobody who is known. */
export type Nobody = Visitor & { type: 'nobody' };

/** Nobody who is known, but who solved a challenge. */
export type Solver = Visitor & { type: 'solver'; solved: SolvedChallenge };

/** The same, at a sign-in: what was solved for the account that signs in serves again. */
export type SigningIn = Visitor & { type: 'signing in'; challenge: SignInChallenge };

/** A person, as the access token says. */
export type AccountCaller = Visitor & {
  type: 'account';
  bizId: string;
  /** The sign-in of the token; null: of one of an outside issuer. */
  signIn: string | null;
  /** The account as it is now; refuses one that is gone. Asked for at most once. */
  account(): Promise<Account>;
};

/** A program, as its signature has proved. */
export type KeyCaller = Origin & KeyFacts & { type: 'key'; address: string };

export type Identity = Nobody | Solver | SigningIn | AccountCaller | KeyCaller;

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls, once a chain has found out. */
    identity: Identity | undefined;
  }
}
