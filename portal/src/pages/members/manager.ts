import type { InvitationRecord, MemberRecord, OwnWorkspace } from '@portico/sdk/portal';
import { useQueryClient } from '@tanstack/react-query';
import { useMe } from '../../session/me.tsx';
import { useSwitchWorkspace } from '../../session/workspace.ts';
import { rescueFocus } from '../../ui/focus.ts';
import { say } from '../../ui/say.ts';
import { type Task as AnyTask, useTask } from '../../ui/use-task.ts';
import { teamQuery } from './list.ts';

type What =
  | { action: 'invite' }
  | { action: 'role' | 'sign-out' | 'remove' | 'leave'; member: MemberRecord }
  | { action: 'revoke'; invitation: InvitationRecord };
export type Task = AnyTask<What>;

export type Manager = {
  workspace: OwnWorkspace;
  isOwner: boolean;
  accountId: string;
  task: Task | undefined;
  begin(what: What, trigger: HTMLElement | null): void;
  refresh(): Promise<void>;
  close(): void;
  finish(said: string): void;
  /** One has left the workspace of the page. */
  depart(): void;
};

/** Everything that changes who belongs to a workspace. */
export function useManager(workspace: OwnWorkspace): Manager {
  const { account, workspaces } = useMe();
  const client = useQueryClient();
  const switchTo = useSwitchWorkspace();
  const { task, begin, close } = useTask<What>();
  // One's own role may have changed.
  const refreshMe = () => client.invalidateQueries({ queryKey: ['me'] });
  const refresh = async () => {
    await Promise.all([client.invalidateQueries({ queryKey: teamQuery(workspace.bizId) }), refreshMe()]);
    rescueFocus();
  };
  const finish = (text: string) => {
    close();
    say(text);
    void refresh();
  };
  const depart = () => {
    const next = workspaces.find(({ bizId }) => bizId !== workspace.bizId);
    if (next !== undefined) switchTo(next.bizId);
    void refreshMe();
  };
  const isOwner = workspace.role === 'OWNER';
  const { bizId: accountId } = account;
  return { workspace, isOwner, accountId, task, begin, refresh, close, finish, depart };
}
