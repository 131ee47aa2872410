import type { ChannelRecord, DeliveryRecord, OwnWorkspace } from '@portico/sdk/portal';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { portal } from '../../session/portal.ts';
import { type Attempt, useAttempt } from '../../ui/attempt.ts';
import { rescueFocus } from '../../ui/focus.ts';
import { say } from '../../ui/say.ts';
import { type Task as AnyTask, useTask } from '../../ui/use-task.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { channelsWords } from '../../words/channels.ts';
import { channelsQuery } from './list.ts';

type What =
  | { action: 'create' }
  | { action: 'edit' | 'rotate' | 'disable' | 'delete' | 'redeliver-failed'; channel: ChannelRecord };
export type Task = AnyTask<What>;

export type Manager = {
  workspace: OwnWorkspace;
  isOwner: boolean;
  task: Task | undefined;
  /** Of what needed no dialog. */
  quick: Attempt;
  /** When something was last done; 0: nothing was. */
  doneAtMs: number;
  begin(what: What, trigger: HTMLElement | null): void;
  test(channel: ChannelRecord): void;
  enable(channel: ChannelRecord): void;
  redeliver(channel: ChannelRecord, delivery: DeliveryRecord): void;
  refresh(): Promise<void>;
  close(): void;
  finish(said: string): void;
  /** The same, of what is no more: nothing of it is read again. */
  depart(said: string): void;
};

/** When something was last done, which is told, and what it changed, which is read again. */
function useNews(workspaceId: string) {
  const client = useQueryClient();
  const [doneAtMs, setDoneAtMs] = useState(0);
  const refresh = useCallback(async () => {
    await client.invalidateQueries({ queryKey: channelsQuery(workspaceId) });
    rescueFocus();
  }, [client, workspaceId]);
  const announce = (text: string) => {
    say(text);
    setDoneAtMs(Date.now());
    void refresh();
  };
  return { doneAtMs, refresh, announce };
}

/** Everything that changes the channels of a workspace. */
export function useManager(workspace: OwnWorkspace): Manager {
  const { bizId: workspaceId } = workspace;
  const quick = useAttempt();
  const { task, begin, close } = useTask<What>();
  const { announce, ...news } = useNews(workspaceId);
  const run = (work: () => Promise<unknown>, text: string) => quick.run(work, () => announce(text));
  return {
    workspace,
    isOwner: workspace.role === 'OWNER',
    task,
    quick,
    ...news,
    begin: (what, trigger) => {
      quick.forget();
      begin(what, trigger);
    },
    test: ({ channelId, name }) =>
      run(() => portal.testChannel(workspaceId, channelId), channelsWords.testSent(visibleText(name))),
    enable: ({ channelId, name }) =>
      run(() => portal.enableChannel(workspaceId, channelId), channelsWords.isEnabled(visibleText(name))),
    redeliver: ({ channelId }, { deliveryId, eventId }) =>
      run(() => portal.redeliver(workspaceId, channelId, deliveryId), channelsWords.isOnItsWay(eventId)),
    close,
    finish: (text) => {
      close();
      announce(text);
    },
    depart: (text) => {
      close();
      say(text);
    },
  };
}
