import type { ApiKeyRecord, OwnWorkspace } from '@portico/sdk/portal';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { portal } from '../../session/portal.ts';
import { useSignInConfig } from '../../session/turnstile/turnstile.tsx';
import { type Attempt, useAttempt } from '../../ui/attempt.ts';
import { rescueFocus } from '../../ui/focus.ts';
import { type Task as AnyTask, useTask } from '../../ui/use-task.ts';
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
  /** What was last done, for those who hear the page. */
  said: string;
  create(trigger: HTMLElement): void;
  act: Act;
  /** What is shown of the keys is read again. */
  refresh(): Promise<void>;
  close(): void;
  finish(said: string): void;
};

const toggles = {
  disable: { call: portal.disableApiKey.bind(portal), said: 'disabled' },
  enable: { call: portal.enableApiKey.bind(portal), said: 'enabled' },
};

export const toggleKey = (
  workspaceId: string,
  action: 'disable' | 'enable',
  { apiKeyId, name }: ApiKeyRecord,
) => toggles[action].call(workspaceId, apiKeyId).then(() => `${name} is ${toggles[action].said}`);

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
  const [said, setSaid] = useState('');
  const refresh = useCallback(async () => {
    await client.invalidateQueries({ queryKey: keysQuery(workspaceId) });
    rescueFocus();
  }, [client, workspaceId]);
  const announce = useCallback(
    (text: string) => {
      setSaid(text);
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
  return { workspaceId, powers, task, quick, said, create, act, refresh, close, finish };
}
