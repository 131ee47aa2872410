import { Button } from '@mantine/core';
import type { OwnWorkspace } from '@portico/sdk/portal';
import { IconUserPlus, IconUsers } from '@tabler/icons-react';
import { useWorkspace } from '../../session/workspace.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { membersWords } from '../../words/members.tsx';
import { uiWords } from '../../words/ui.ts';
import { Lists } from './lists.tsx';
import { useManager } from './manager.ts';
import { TaskDialog } from './task-dialog.tsx';

function Team({ workspace }: { workspace: OwnWorkspace }) {
  const manager = useManager(workspace);
  const { isOwner, task } = manager;
  return (
    <Page
      title={membersWords.title}
      description={membersWords.description(visibleText(workspace.name), isOwner)}
      actions={
        isOwner ? (
          <Button
            leftSection={<IconUserPlus size={16} aria-hidden />}
            aria-haspopup="dialog"
            onClick={({ currentTarget }) => manager.begin({ action: 'invite' }, currentTarget)}
          >
            {membersWords.invite}
          </Button>
        ) : null
      }
    >
      <Lists manager={manager} />
      {task === undefined ? null : <TaskDialog key={task.number} task={task} manager={manager} />}
    </Page>
  );
}

export function MembersPage() {
  const workspace = useWorkspace();
  if (workspace === undefined)
    return (
      <Page title={membersWords.title}>
        <EmptyState icon={<IconUsers size={24} />} title={uiWords.noWorkspace}>
          {uiWords.askOwner}
        </EmptyState>
      </Page>
    );
  return <Team key={workspace.bizId} workspace={workspace} />;
}
