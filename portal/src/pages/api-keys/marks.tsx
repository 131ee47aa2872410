import type { ApiKeyRecord } from '@portico/sdk/portal';
import { ModeBand } from '../../ui/mode-band.tsx';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';
import { apiKeysWords } from '../../words/api-keys.tsx';
import { isEndingSoon } from './expiry.ts';

const tones: Record<string, Tone> = {
  ACTIVE: 'good',
  DISABLED: 'waiting',
  REVOKED: 'bad',
  EXPIRED: 'neutral',
};

/** A key that ends soon works, but does not look as if all were well. */
export function KeyStatus({ apiKey }: { apiKey: ApiKeyRecord }) {
  const tone = isEndingSoon(apiKey, Date.now()) ? 'waiting' : tones[apiKey.status];
  return <StatusBadge status={apiKey.status} tone={tone ?? 'neutral'} />;
}

/** So that nobody mistakes one kind of key for the other. */
export const KeyBand = ({ mode }: { mode: string }) => (
  <ModeBand mode={mode}>{mode === 'TEST' ? apiKeysWords.isTest : apiKeysWords.isLive}</ModeBand>
);
