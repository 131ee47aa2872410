import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';
import classes from './fields.module.css';

type Field = {
  name: string;
  value: ReactNode /** What the copy button copies; without it there is none. */;
  copy?: string;
};

/** All fields of a record, one below the other. */
export function Fields({ fields }: { fields: readonly Field[] }) {
  return (
    <dl className={classes['fields']}>
      {fields.map(({ name, value, copy }) => (
        <div key={name} className={classes['field']}>
          <dt>{name}</dt>
          <dd>
            <span className={classes['value']}>{value}</span>
            {copy === undefined ? null : <CopyButton value={copy} what={name.toLowerCase()} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}
