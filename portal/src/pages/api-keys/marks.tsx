import { ModeBand } from '../../ui/mode-band.tsx';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';

const tones: Record<string, Tone> = {
  ACTIVE: 'good',
  DISABLED: 'waiting',
  REVOKED: 'bad',
  EXPIRED: 'neutral',
};

export function KeyStatus({ status }: { status: string }) {
  return <StatusBadge status={status} tone={tones[status] ?? 'neutral'} />;
}

const meanings: Record<string, string> = {
  LIVE: 'This key works on real data.',
  TEST: 'This key works on test data only.',
};

/** So that nobody mistakes one kind of key for the other. */
export const KeyBand = ({ mode }: { mode: string }) => <ModeBand mode={mode}>{meanings[mode]}</ModeBand>;
