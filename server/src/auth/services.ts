import type { Config } from '../config.ts';
import type { Peers } from '../contract/peer.ts';
import type { Database } from '../db/database.ts';
import type { Limits } from '../limits/limits.ts';
import type { SignCheckpoint } from '../log/checkpoints.ts';
import type { Mail } from '../mail/mail.ts';
import type { RequestLog } from '../requests/request-log.ts';
import type { FileServices } from './file-services.ts';
import type { AccessTokens } from './portal/access-tokens.ts';
import type { FailedSignIns } from './portal/failed-sign-ins.ts';
import type { Passwords } from './portal/passwords.ts';
import type { Sightings } from './portal/sightings.ts';
import type { Turnstile } from './portal/turnstile.ts';
import type { Vault } from './secrets/vault.ts';
import type { SignedRoute } from './signed/key-checks.ts';
import type { KeyUsage } from './signed/key-usage.ts';
import type { Nonces } from './signed/nonces.ts';

/** What every resource is given. Time comes from here alone. */
export type Services = {
  config: Config;
  db: Database;
  now(): number;
  peers: Peers;
  vault: Vault;
  mail: Mail;
  files: FileServices;
  tokens: AccessTokens;
  signCheckpoint: SignCheckpoint;
  turnstile: Turnstile;
  limits: Limits;
  passwords: Passwords;
  failedSignIns: FailedSignIns;
  /** Codes of a second factor that were wrong, after a password that was right. */
  refusedCodes: FailedSignIns;
  sightings: Sightings;
  nonces: Nonces;
  usage: KeyUsage;
  requestLog: RequestLog;
  /** Filled while the routes are registered. */
  signedRoutes: SignedRoute[];
};
