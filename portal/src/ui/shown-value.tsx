import { CopyButton } from './copy-button.tsx';
import classes from './shown-value.module.css';

/** A value to be taken elsewhere, in full. */
export function ShownValue({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <p className={classes['label']}>{name}</p>
      <div className={classes['secret']}>
        <code>{value}</code> <CopyButton value={value} what={name.toLowerCase()} />
      </div>
    </div>
  );
}
