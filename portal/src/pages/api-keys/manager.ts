import type { ApiKeyRecord, OwnWorkspace } from '@portico/sdk/portal';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { portal } from '../../session/portal.ts';
import { useSignInConfig } from '../../session/turnstile/turnstile.tsx';
import { type Attempt, useAttempt } from '../../ui/attempt.ts';
import { rescueFocus, returnFocus } from '../../ui/focus.ts';
import { type Act, type ActionName, needsDialog, type Powers } from './actions.ts';
import { keysQuery } from './list.ts';

/** What a dialog is about. The number tells one from the next. */
export type Task = { number: number } & ({ action: 'create' } | { action: ActionName; apiKey: ApiKeyRecord });

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

/** The task at hand, and what had the focus before it. */
function useTask() {
  const [task, setTask] = useState<Task>();
  const trigger = useRef<HTMLElement | null>(null);
  const count = useRef(0);
  const begin = useCallback(
    (what: { action: 'create' } | { action: ActionName; apiKey: ApiKeyRecord }, from: HTMLElement | null) => {
      // What follows from another task goes back to where that one began.
      if (from !== null) trigger.current = from;
      count.current += 1;
      setTask({ ...what, number: count.current });
    },
    [],
  );
  const close = useCallback(() => {
    setTask(undefined);
    returnFocus(trigger.current);
  }, []);
  return { task, begin, close };
}

/** Everything that changes the keys of a workspace. */
export function useManager(workspace: OwnWorkspace): Manager {
  const workspaceId = workspace.bizId;
  const powers = usePowers(workspace);
  const client = useQueryClient();
  const quick = useAttempt();
  const { run, forget } = quick;
  const { task, begin, close } = useTask();
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
