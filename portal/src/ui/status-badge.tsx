import { formatName } from './format.ts';
import classes from './status-badge.module.css';

export type Tone = 'good' | 'waiting' | 'bad' | 'neutral';

/** A status by its name, in words as well as in colour. */
export function StatusBadge({ status, tone }: { status: string; tone: Tone }) {
  return (
    <span className={classes['badge']} data-tone={tone}>
      {formatName(status)}
    </span>
  );
}
