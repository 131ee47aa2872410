import type { FileRecord, OwnWorkspace } from '@portico/sdk/portal';
import { useQueryClient } from '@tanstack/react-query';
import { portal } from '../../session/portal.ts';
import { type Attempt, useAttempt } from '../../ui/attempt.ts';
import { rescueFocus } from '../../ui/focus.ts';
import { say } from '../../ui/say.ts';
import { type Task as AnyTask, useTask } from '../../ui/use-task.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { filesWords } from '../../words/files.tsx';
import { filesQuery } from './list.ts';
import type { Dropped } from './use-file-drop.ts';

type What = { action: 'upload'; dropped: Dropped } | { action: 'delete'; file: FileRecord };
type Task = AnyTask<What>;

export type Manager = {
  institution: string;
  /** The workspaces to which one may upload; of none: a reader. */
  writable: readonly OwnWorkspace[];
  task: Task | undefined;
  /** Of what needed no dialog. */
  quick: Attempt;
  begin(what: What, trigger: HTMLElement | null): void;
  toggle(action: 'archive' | 'restore', file: FileRecord): void;
  refresh(): Promise<void>;
  close(): void;
  /** Closes what was about a change; what was done is said, unless the dialog did. */
  finish(said?: string): void;
  forget(): void;
};

const toggles = {
  archive: { call: portal.archiveFile.bind(portal), said: 'isArchived' },
  restore: { call: portal.restoreFile.bind(portal), said: 'isRestored' },
} as const;

/** Everything that changes the files of an institution. */
export function useManager(institution: string, writable: readonly OwnWorkspace[]): Manager {
  const client = useQueryClient();
  const quick = useAttempt();
  const { task, begin, close } = useTask<What>();
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: filesQuery });
    rescueFocus();
  };
  const announce = (text: string) => {
    say(text);
    void refresh();
  };
  return {
    institution,
    writable,
    task,
    quick,
    begin: (what, trigger) => {
      quick.forget();
      begin(what, trigger);
    },
    toggle: (action, { bizId, originalFilename }) =>
      quick.run(
        () => toggles[action].call(bizId),
        () => announce(filesWords[toggles[action].said](visibleText(originalFilename))),
      ),
    refresh,
    close,
    finish: (text) => {
      close();
      if (text === undefined) void refresh();
      else announce(text);
    },
    forget: quick.forget,
  };
}
