import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
} from 'react';

const within = 'a[href], button, input, select, textarea, [tabindex]';

const rowsOf = (body: HTMLElement) =>
  [...body.children].map((row) => [...row.querySelectorAll<HTMLElement>(within)]);
const isShown = (element: HTMLElement) => element.offsetParent !== null;

/** Where an arrow key leads, from the row and the place in it; undefined: it is none of them. */
export function stepOf(
  key: string,
  { row, place }: { row: number; place: number },
  rows: number,
): { row: number; place: number } | undefined {
  const last = rows - 1;
  switch (key) {
    case 'ArrowDown':
      return { row: Math.min(row + 1, last), place };
    case 'ArrowUp':
      return { row: Math.max(row - 1, 0), place };
    case 'ArrowRight':
      return { row, place: place + 1 };
    case 'ArrowLeft':
      return { row, place: Math.max(place - 1, 0) };
    case 'Home':
      return { row: 0, place: 0 };
    case 'End':
      return { row: last, place: 0 };
    default:
      return undefined;
  }
}

/** One stop of the Tab key for all rows: what can be reached within them is reached by arrow keys. */
export function useRovingRows(body: RefObject<HTMLTableSectionElement | null>) {
  const current = useRef<HTMLElement | null>(null);
  const mark = useCallback(() => {
    if (body.current === null) return;
    const all = rowsOf(body.current).flat();
    const isThere = current.current !== null && all.includes(current.current);
    const stop = isThere ? current.current : all[0];
    for (const each of all) each.tabIndex = each === stop ? 0 : -1;
  }, [body]);
  // After each render: rows come and go, and what is new in them is a stop of its own.
  useLayoutEffect(mark);
  const onFocus = ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
    // A menu of a row lies elsewhere in the page.
    if (!currentTarget.contains(target)) return;
    current.current = target;
    mark();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { target, key } = event;
    if (!(target instanceof HTMLElement) || target.getAttribute('aria-expanded') === 'true') return;
    const rows = rowsOf(event.currentTarget).map((stops) => stops.filter(isShown));
    const row = rows.findIndex((stops) => stops.includes(target));
    if (row < 0) return;
    const to = stepOf(key, { row, place: rows[row]?.indexOf(target) ?? 0 }, rows.length);
    if (to === undefined) return;
    const stops = rows[to.row] ?? [];
    event.preventDefault();
    stops[Math.min(to.place, stops.length - 1)]?.focus();
  };
  return { onFocus, onKeyDown };
}
