import type { ReactNode } from 'react';
import { contentId } from '../session/link.ts';
import { useMode } from '../session/mode.ts';
import { ModeMark } from '../ui/mode-band.tsx';
import { Brand } from './brand.tsx';
import classes from './frame.module.css';
import { TestBand } from './test-band.tsx';

type Props = {
  side: ReactNode /** Opens the navigation where there is no room for it. */;
  burger: ReactNode;
  /** Beside the brand, wherever that stands. */
  bell?: ReactNode;
  children: ReactNode;
};

/** Where everything stands: the same before and after one knows who is there. */
export function Frame({ side, burger, bell, children }: Props) {
  const mode = useMode();
  return (
    <div className={classes['frame']}>
      <div className={classes['side']}>
        <div className={classes['brand']}>
          <Brand />
          {bell}
        </div>
        {side}
      </div>
      <header className={classes['topbar']}>
        {burger}
        <Brand />
        {mode === 'TEST' ? <ModeMark mode={mode} /> : null}
        <div className={classes['bell']}>{bell}</div>
      </header>
      <main id={contentId} className={classes['main']} tabIndex={-1}>
        <TestBand />
        <div className={classes['content']}>{children}</div>
      </main>
    </div>
  );
}
