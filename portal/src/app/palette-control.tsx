import { UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Suspense, useEffect, useSyncExternalStore } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useMe } from '../session/me.tsx';
import { keepRecent, recentOf } from '../session/recent.ts';
import { useWorkspace } from '../session/workspace.ts';
import { paletteWords } from '../words/palette.ts';
import { later } from './code.ts';
import classes from './palette-control.module.css';

const load = () => import('./palette.tsx').then(({ Palette: Loaded }) => ({ default: Loaded }));
const Palette = later(load);

/** One for the page, which several things open. */
let isOpen = false;
const listeners = new Set<() => void>();

function setOpen(to: boolean): void {
  isOpen = to;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Its code comes first: while the service is away, the page stays as it is. */
function show(): void {
  load().then(
    () => setOpen(true),
    () => {},
  );
}

/** Where there is a Command key, that one. */
const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform);

export function PaletteButton({ onLeave }: { onLeave(): void }) {
  const open = () => {
    onLeave();
    show();
  };
  return (
    <UnstyledButton
      className={classes['open']}
      aria-haspopup="dialog"
      aria-keyshortcuts={isApple() ? 'Meta+K' : 'Control+K'}
      onClick={open}
    >
      <IconSearch size={16} aria-hidden />
      {paletteWords.open}
      <kbd className={classes['keys']} aria-hidden>
        {isApple() ? '⌘K' : 'Ctrl K'}
      </kbd>
    </UnstyledButton>
  );
}

/** A form in a dialog is not left by chance. */
const isBusy = () => document.querySelector('[aria-modal="true"] form') !== null;

function onKeyDown(event: KeyboardEvent): void {
  if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey)
    return;
  event.preventDefault();
  if (isOpen) setOpen(false);
  else if (!isBusy()) show();
}

/** Which record the address names is remembered, to be found again. */
function useRecentKept(): void {
  const [path] = useLocation();
  const search = useSearch();
  const { account } = useMe();
  const workspace = useWorkspace()?.bizId;
  useEffect(() => {
    const one = recentOf(path, new URLSearchParams(search));
    if (one !== undefined && workspace !== undefined) keepRecent(account.bizId, workspace, one);
  }, [path, search, account.bizId, workspace]);
}

export function PaletteControl() {
  const isShown = useSyncExternalStore(subscribe, () => isOpen);
  useRecentKept();
  useEffect(() => {
    addEventListener('keydown', onKeyDown);
    return () => {
      removeEventListener('keydown', onKeyDown);
      setOpen(false);
    };
  }, []);
  return isShown ? (
    <Suspense>
      <Palette onClose={() => setOpen(false)} />
    </Suspense>
  ) : null;
}
