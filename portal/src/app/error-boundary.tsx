import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { Component, type ReactNode } from 'react';
import { EmptyState } from '../ui/empty-state.tsx';

type Props = { children: ReactNode };

/** Mostly met when the portal was replaced by a newer one while it was open: the page asked for is no longer there. */
export class ErrorBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div role="alert">
        <EmptyState
          icon={<IconRefresh size={24} />}
          title="This page could not be shown"
          action={<Button onClick={() => location.reload()}>Reload</Button>}
        >
          The portal may have been updated since you opened it.
        </EmptyState>
      </div>
    );
  }
}
