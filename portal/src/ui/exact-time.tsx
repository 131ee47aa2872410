import { formatRelative } from './format.ts';
import { formatExact } from './time.ts';
import classes from './values.module.css';

/** A time among the fields of a record: to the second, and how far away that is. */
export function ExactTime({ at }: { at: string }) {
  return (
    <>
      <time dateTime={at}>{formatExact(at)}</time>{' '}
      <span className={classes['distance']}>{formatRelative(at, Date.now())}</span>
    </>
  );
}
