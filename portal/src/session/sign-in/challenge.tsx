import { Turnstile } from '../turnstile/turnstile.tsx';
import classes from './challenge.module.css';

/** The challenge of a form, in room that is kept for it. */
export function Challenge() {
  return (
    <div className={classes['challenge']}>
      <Turnstile isVisible />
    </div>
  );
}
