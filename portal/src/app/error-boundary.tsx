import { Button } from '@mantine/core';
import { IconPlugConnectedX, IconRefresh } from '@tabler/icons-react';
import { Component, type ReactNode, useEffect } from 'react';
import { portal } from '../session/portal.ts';
import { storedAs } from '../session/storage.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { awayMs, isServerAway } from '../ui/error-text.ts';
import { appWords } from '../words/app.tsx';
import { CodeMissing } from './code.ts';

/** What is loaded anew and fails again this soon would go on so for ever. */
const againMs = 60_000;
const mark = storedAs('loaded-anew');

/** Whether it was tried already, as far as this tab may keep that. */
function hasJustTried(): boolean {
  try {
    const before = Number(sessionStorage.getItem(mark));
    sessionStorage.setItem(mark, String(Date.now()));
    return Date.now() - before < againMs;
  } catch {
    return true;
  }
}

/** Loads the page anew as soon as the service answers: before that, there would be nothing to load. */
function useReturn(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      const isThere = await portal.signInConfig().then(
        () => true,
        (error: unknown) => !isServerAway(error),
      );
      if (!isThere) timer = setTimeout(look, awayMs);
      else if (!hasJustTried()) location.reload();
    };
    timer = setTimeout(look, 0);
    return () => clearTimeout(timer);
  }, []);
}

function NotLoaded() {
  useReturn();
  return (
    <EmptyState
      icon={<IconPlugConnectedX size={24} />}
      title={appWords.codeAway}
      action={<Button onClick={() => location.reload()}>{appWords.reload}</Button>}
    >
      {appWords.codeAwayWhy}
    </EmptyState>
  );
}

function NotShown() {
  return (
    <EmptyState
      icon={<IconRefresh size={24} />}
      title={appWords.notShown}
      action={<Button onClick={() => location.reload()}>{appWords.reload}</Button>}
    >
      {appWords.mayBeUpdated}
    </EmptyState>
  );
}

type Props = { children: ReactNode };

/** What stands where a page cannot: its code did not come, or it met something that nobody thought of. */
export class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <div role="alert">{error instanceof CodeMissing ? <NotLoaded /> : <NotShown />}</div>;
  }
}
