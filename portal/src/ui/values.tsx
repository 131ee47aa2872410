import { formatBytes, formatExactBytes, formatRelative } from './format.ts';
import { Hint } from './hint.tsx';
import { formatExact, formatMoment } from './time.ts';
import classes from './values.module.css';

/** When something was or will be: the time itself, and how far away that is. In tables one stands below the other. */
export function Moment({ at }: { at: string }) {
  const now = Date.now();
  return (
    <span className={classes['moment']} data-moment>
      <Hint exact={formatExact(at)}>
        <time dateTime={at}>{formatMoment(at, now)}</time>
      </Hint>{' '}
      <span className={classes['distance']}>{formatRelative(at, now)}</span>
    </span>
  );
}

export function Bytes({ count }: { count: number }) {
  return <Hint exact={formatExactBytes(count)}>{formatBytes(count)}</Hint>;
}
