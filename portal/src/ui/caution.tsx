import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './caution.module.css';

type Props = { title: string; role: 'note' | 'alert'; children: ReactNode };

/** Something to know before one goes on. */
export function Caution({ title, role, children }: Props) {
  return (
    <div className={classes['caution']} role={role}>
      <IconAlertTriangle size={20} aria-hidden className={classes['icon']} />
      <div>
        <p className={classes['title']}>{title}</p>
        {children}
      </div>
    </div>
  );
}
