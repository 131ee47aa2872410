/** After Mantine has moved the focus itself. */
const afterMs = 30;

const isLost = () => document.activeElement === null || document.activeElement === document.body;

/** Where the focus goes when what had it is gone: the dialog on top, else the heading of the page. */
function fallback(): HTMLElement | null {
  const dialogs = document.querySelectorAll<HTMLElement>('[role="dialog"]');
  return dialogs.item(dialogs.length - 1) ?? document.querySelector<HTMLElement>('h1');
}

/** Gives the focus back to what began something, if it is still there. */
export function returnFocus(trigger: HTMLElement | null): void {
  setTimeout(() => {
    trigger?.focus({ preventScroll: true });
    if (isLost()) fallback()?.focus({ preventScroll: true });
  }, afterMs);
}

/** After a change that may have removed what had the focus. */
export function rescueFocus(): void {
  setTimeout(() => {
    if (isLost()) fallback()?.focus({ preventScroll: true });
  }, afterMs);
}
