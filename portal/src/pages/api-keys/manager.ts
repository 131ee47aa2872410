import type { ApiKeyRecord, OwnWorkspace } from '@portico/sdk/portal';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { portal } from '../../session/portal.ts';
import { useSignInConfig } from '../../session/turnstile/turnstile.tsx';
import { type Attempt, useAttempt } from '../../ui/attempt.ts';
import { rescueFocus } from '../../ui/focus.ts';
import { say } from '../../ui/say.ts';
import { type Task as AnyTask, useTask } from '../../ui/use-task.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { keyActionWords } from '../../words/api-keys.tsx';
import { type Act, type ActionName, needsDialog, type Powers } from './actions.ts';
import { keysQuery } from './list.ts';

type What = { action: 'create' } | { action: ActionName; apiKey: ApiKeyRecord };
export type Task = AnyTask<What>;

export type Manager = {
  workspaceId: string;
  powers: Powers;
  task: Task | undefined;
  /** Of what needed no dialog. */
  quick: Attempt;
  create(trigger: HTMLElement): void;
  act: Act;
  /** What is shown of the keys is read again. */
  refresh(): Promise<void>;
  close(): void;
  finish(said: string): void;
};

/** Tells what was done. */
export async function toggleKey(
  workspaceId: string,
  action: 'disable' | 'enable',
  { apiKeyId, name }: ApiKeyRecord,
): Promise<string> {
  await portal[`${action}ApiKey`](workspaceId, apiKeyId);
  return keyActionWords[`${action}d`](visibleText(name));
}

function usePowers({ role }: OwnWorkspace): Powers {
  const mayTest = useSignInConfig().data?.portal === 'PARTNER';
  const isOwner = role === 'OWNER';
  return useMemo(() => ({ isOwner, mayTest }), [isOwner, mayTest]);
}

/** Everything that changes the keys of a workspace. */
export function useManager(workspace: OwnWorkspace): Manager {
  const workspaceId = workspace.bizId;
  const powers = usePowers(workspace);
  const client = useQueryClient();
  const quick = useAttempt();
  const { run, forget } = quick;
  const { task, begin, close } = useTask<What>();
  const refresh = useCallback(async () => {
    await client.invalidateQueries({ queryKey: keysQuery(workspaceId) });
    rescueFocus();
  }, [client, workspaceId]);
  const announce = useCallback(
    (text: string) => {
      say(text);
      void refresh();
    },
    [refresh],
  );
  const act = useCallback<Act>(
    (action, apiKey, trigger) => {
      forget();
      if (needsDialog(action, apiKey) || (action !== 'disable' && action !== 'enable'))
        begin({ action, apiKey }, trigger);
      else run(() => toggleKey(workspaceId, action, apiKey), announce);
    },
    [workspaceId, begin, run, forget, announce],
  );
  const finish = (text: string) => {
    close();
    announce(text);
  };
  const create = (trigger: HTMLElement) => {
    forget();
    begin({ action: 'create' }, trigger);
  };
  return { workspaceId, powers, task, quick, create, act, refresh, close, finish };
}
