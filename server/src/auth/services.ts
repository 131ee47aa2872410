import type { Config } from '../config.ts';
import type { Peers } from '../contract/peer.ts';
import type { Database } from '../db/database.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { SignedRoute } from './key-checks.ts';
import type { KeyUsage } from './key-usage.ts';
import type { Limits } from './limits.ts';
import type { Nonces } from './nonces.ts';
import type { Passwords } from './passwords.ts';
import type { Turnstile } from './turnstile.ts';
import type { Vault } from './vault.ts';

/** What every resource is given. Time comes from here alone. */
export type Services = {
  config: Config;
  db: Database;
  now(): number;
  peers: Peers;
  vault: Vault;
  tokens: AccessTokens;
  turnstile: Turnstile;
  limits: Limits;
  passwords: Passwords;
  nonces: Nonces;
  usage: KeyUsage;
  /** Filled while the routes are registered. */
  signedRoutes: SignedRoute[];
};
