import { PorticoPortal } from '@portico/sdk/portal';
import { basePath } from './base-path.ts';
import { Session } from './session.ts';
import { TurnstileKeeper } from './turnstile/keeper.ts';

export const turnstile = new TurnstileKeeper();

export const session = new Session(() => portal);

/** The one way to the service. Token and challenge are renewed behind it. */
export const portal = new PorticoPortal({
  baseUrl: basePath === '' ? '/' : basePath,
  accessToken: (refused) => session.accessToken(refused),
  turnstileToken: (refused) => turnstile.token(refused),
  retries: 1,
});
