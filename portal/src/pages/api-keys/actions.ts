import type { ApiKeyRecord } from '@portico/sdk/portal';
import { keyActionWords } from '../../words/api-keys.tsx';

export type ActionName = 'edit' | 'rotate' | 'disable' | 'enable' | 'revoke' | 'end';

/** What begins an action, and where the focus goes when it is over. */
export type Act = (action: ActionName, apiKey: ApiKeyRecord, trigger: HTMLElement | null) => void;

export const actionLabel = (action: ActionName): string => keyActionWords[action];

/** Legible in both colour schemes. */
export const dangerColor = 'var(--mantine-color-error)';

/** What someone may do with keys; nothing: a reader. */
export type Powers = { isOwner: boolean; mayTest: boolean };

/** What is offered for a key, in the order in which it is shown. */
export function actionsOf({ status, mode }: ApiKeyRecord, { isOwner, mayTest }: Powers): ActionName[] {
  if (!isOwner || status === 'REVOKED') return [];
  const mayRevive = mode !== 'TEST' || mayTest;
  const revive: ActionName[] = mayRevive ? ['rotate'] : [];
  if (status !== 'DISABLED') return ['edit', ...revive, 'disable', 'revoke'];
  return mayRevive ? ['edit', 'rotate', 'enable', 'revoke'] : ['edit', 'revoke'];
}

/** LIVE keys and whatever cannot be undone are asked about first. */
export const needsDialog = (action: ActionName, { mode }: ApiKeyRecord): boolean =>
  mode === 'LIVE' || (action !== 'disable' && action !== 'enable');

/** The secret that still works beside the current one. */
export const oldSecretOf = ({ secrets, secretVersion }: ApiKeyRecord) =>
  secrets.find(({ version }) => version !== secretVersion);

export const currentSecretOf = ({ secrets, secretVersion }: ApiKeyRecord) =>
  secrets.find(({ version }) => version === secretVersion);
