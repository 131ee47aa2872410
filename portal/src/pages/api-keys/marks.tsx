import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';
import classes from './marks.module.css';

const tones: Record<string, Tone> = {
  ACTIVE: 'good',
  DISABLED: 'waiting',
  REVOKED: 'bad',
  EXPIRED: 'neutral',
};

export function KeyStatus({ status }: { status: string }) {
  return <StatusBadge status={status} tone={tones[status] ?? 'neutral'} />;
}

/** LIVE is quiet, TEST is loud. */
export function ModeMark({ mode }: { mode: string }) {
  return (
    <span className={classes['mode']} data-mode={mode}>
      {mode}
    </span>
  );
}

const meanings: Record<string, string> = {
  LIVE: 'This key works on real data.',
  TEST: 'This key works on test data only.',
};

/** Across the top of a dialog, so that nobody mistakes one kind of key for the other. */
export function ModeBand({ mode }: { mode: string }) {
  return (
    <div className={classes['band']} data-mode={mode}>
      <ModeMark mode={mode} />
      {meanings[mode]}
    </div>
  );
}
