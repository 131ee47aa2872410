import { type RefObject, useLayoutEffect, useState } from 'react';

/** Whether what is inside is wider than its box. Only then it scrolls by itself: a header sticks to what scrolls. */
export function useIsWide(box: RefObject<HTMLElement | null>): boolean {
  const [isWide, setIsWide] = useState(false);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    const look = () => setIsWide(current.scrollWidth > current.clientWidth + 1);
    const observer = new ResizeObserver(look);
    for (const each of [current, ...current.children]) observer.observe(each);
    return () => observer.disconnect();
  }, [box]);
  return isWide;
}
