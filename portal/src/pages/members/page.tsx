import type { OwnWorkspace } from '@portico/sdk/portal';
import { IconUserPlus, IconUsers } from '@tabler/icons-react';
import { InWorkspace } from '../../session/in-workspace.tsx';
import { BeginButton } from '../../ui/begin-button.tsx';
import { Page } from '../../ui/page.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { membersWords } from '../../words/members.tsx';
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
          <BeginButton
            label={membersWords.invite}
            icon={IconUserPlus}
            onBegin={(opener) => manager.begin({ action: 'invite' }, opener)}
          />
        ) : null
      }
    >
      <Lists manager={manager} />
      {task === undefined ? null : <TaskDialog key={task.number} task={task} manager={manager} />}
    </Page>
  );
}

export const MembersPage = () => (
  <InWorkspace title={membersWords.title} icon={IconUsers}>
    {(workspace) => <Team workspace={workspace} />}
  </InWorkspace>
);
