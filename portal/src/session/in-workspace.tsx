import type { OwnWorkspace } from '@portico/sdk/portal';
import type { Icon } from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';
import { uiWords } from '../words/ui.ts';
import { useWorkspace } from './workspace.ts';

type Props = { title: string; icon: Icon; children(workspace: OwnWorkspace): ReactNode };

/** A page about the workspace that is chosen; who has none is told whom to ask. Another workspace begins it anew. */
export function InWorkspace({ title, icon: Sign, children }: Props) {
  const workspace = useWorkspace();
  if (workspace === undefined)
    return (
      <Page title={title}>
        <EmptyState icon={<Sign size={24} />} title={uiWords.noWorkspace}>
          {uiWords.askOwner}
        </EmptyState>
      </Page>
    );
  return <Fragment key={workspace.bizId}>{children(workspace)}</Fragment>;
}
