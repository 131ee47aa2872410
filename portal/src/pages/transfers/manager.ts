import type { Mode, OwnWorkspace, Transfer } from '@portico/sdk/portal';
import { useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { inMode } from '../../session/mode.ts';
import { rescueFocus } from '../../ui/focus.ts';
import { say } from '../../ui/say.ts';
import { type Task as AnyTask, useTask } from '../../ui/use-task.ts';
import { transfersWords } from '../../words/transfers.tsx';
import { openParameter, transfersQuery } from './list.ts';

type What = { action: 'create' } | { action: 'cancel'; transfer: Transfer; mode: Mode };
export type Task = AnyTask<What>;

export type Manager = {
  workspace: OwnWorkspace;
  /** Creates and cancels. */
  isWorker: boolean;
  task: Task | undefined;
  begin(what: What, trigger: HTMLElement | null): void;
  close(): void;
  /** What is shown is read again. */
  refresh(): Promise<void>;
  finish(said: string): void;
  /** Shows a transfer that was just created, in the list of its mode. */
  show(transfer: Transfer, mode: Mode): void;
};

/** Everything that changes the transfers of a workspace. */
export function useManager(workspace: OwnWorkspace): Manager {
  const client = useQueryClient();
  const [, setParams] = useSearchParams();
  const { task, begin, close, leave } = useTask<What>();
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: transfersQuery(workspace.bizId) });
    rescueFocus();
  };
  const finish = (text: string) => {
    close();
    say(text);
    void refresh();
  };
  const show = ({ transferId }: Transfer, mode: Mode) => {
    leave();
    say(transfersWords.isCreated);
    setParams((old) => ({ ...Object.fromEntries(inMode(mode, old)), [openParameter]: transferId }));
    void refresh();
  };
  const isWorker = workspace.role !== 'VIEWER';
  return { workspace, isWorker, task, begin, close, refresh, finish, show };
}
