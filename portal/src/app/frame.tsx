import type { ReactNode } from 'react';
import { contentId } from '../session/link.ts';
import { Brand } from './brand.tsx';
import classes from './frame.module.css';

type Props = {
  side: ReactNode /** Opens the navigation where there is no room for it. */;
  burger: ReactNode;
  children: ReactNode;
};

/** Where everything stands: the same before and after one knows who is there. */
export function Frame({ side, burger, children }: Props) {
  return (
    <div className={classes['frame']}>
      <div className={classes['side']}>
        <div className={classes['brand']}>
          <Brand />
        </div>
        {side}
      </div>
      <header className={classes['topbar']}>
        {burger}
        <Brand />
      </header>
      <main id={contentId} className={classes['main']} tabIndex={-1}>
        <div className={classes['content']}>{children}</div>
      </main>
    </div>
  );
}
