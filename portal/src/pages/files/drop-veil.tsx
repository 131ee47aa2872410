import { IconUpload } from '@tabler/icons-react';
import { uploadWords } from '../../words/files.tsx';
import classes from './upload.module.css';

/** Says that what hovers over the page can be let go. */
export function DropVeil({ isOver }: { isOver: boolean }) {
  if (!isOver) return null;
  return (
    <div className={classes['veil']}>
      <IconUpload size={40} aria-hidden />
      {uploadWords.dropHere}
    </div>
  );
}
