import { Button, VisuallyHidden } from '@mantine/core';
import type { OwnWorkspace } from '@portico/sdk/portal';
import { IconUserPlus, IconUsers } from '@tabler/icons-react';
import { useWorkspace } from '../../session/workspace.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { Lists } from './lists.tsx';
import { useManager } from './manager.ts';
import { TaskDialog } from './task-dialog.tsx';

const title = 'Members';

function Team({ workspace }: { workspace: OwnWorkspace }) {
  const manager = useManager(workspace);
  const { isOwner, task, said } = manager;
  return (
    <Page
      title={title}
      description={`Who has a role in ${workspace.name}${isOwner ? '' : '. Only owners change that.'}`}
      actions={
        isOwner ? (
          <Button
            leftSection={<IconUserPlus size={16} aria-hidden />}
            aria-haspopup="dialog"
            onClick={({ currentTarget }) => manager.begin({ action: 'invite' }, currentTarget)}
          >
            Invite
          </Button>
        ) : null
      }
    >
      <Lists manager={manager} />
      {task === undefined ? null : <TaskDialog key={task.number} task={task} manager={manager} />}
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </Page>
  );
}

export function MembersPage() {
  const workspace = useWorkspace();
  if (workspace === undefined)
    return (
      <Page title={title}>
        <EmptyState icon={<IconUsers size={24} />} title="You have no role in any workspace">
          Ask an owner of a workspace to invite you to it.
        </EmptyState>
      </Page>
    );
  return <Team key={workspace.bizId} workspace={workspace} />;
}
