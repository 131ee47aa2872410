import { CloseButton } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { saidWords } from '../words/said.ts';
import classes from './said.module.css';
import { noticeNow, subscribeNotice, unsay } from './say.ts';

/** Long enough to read it twice; a text with much in it stays longer. */
const stayMs = (text: string) => Math.max(6000, text.length * 120);

/** Goes away by itself, but not from under the pointer or the focus. */
function useEnd(text: string, isHeld: boolean): void {
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(unsay, stayMs(text));
    return () => clearTimeout(timer);
  }, [text, isHeld]);
}

function Notice({ text }: { text: string }) {
  const [isHeld, setHeld] = useState(false);
  useEnd(text, isHeld);
  const hold = { onMouseEnter: () => setHeld(true), onMouseLeave: () => setHeld(false) };
  const keep = { onFocus: () => setHeld(true), onBlur: () => setHeld(false) };
  return (
    <div className={classes['notice']} {...hold} {...keep}>
      <IconCircleCheck size={20} aria-hidden className={classes['icon']} />
      <span className={classes['text']}>{text}</span>
      <CloseButton size="sm" aria-label={saidWords.dismiss} onClick={unsay} />
    </div>
  );
}

/** Where `say` is seen and heard. The region is always there: one that comes with its text is not announced. */
export function Said() {
  const notice = useSyncExternalStore(subscribeNotice, noticeNow);
  useEffect(() => unsay, []);
  return (
    <div role="status" className={classes['region']}>
      {notice === undefined ? null : <Notice key={notice.number} text={notice.text} />}
    </div>
  );
}
