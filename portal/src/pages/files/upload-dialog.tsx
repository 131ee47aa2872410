import { Button, Group } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { portal } from '../../session/portal.ts';
import dialog from '../../ui/dialog.module.css';
import { Dialog } from '../../ui/dialog.tsx';
import { useStay } from '../../ui/use-stay.ts';
import { uploadWords } from '../../words/files.tsx';
import { DropVeil } from './drop-veil.tsx';
import type { Manager } from './manager.ts';
import { type Draft, UploadForm } from './upload-form.tsx';
import { UploadRows } from './upload-rows.tsx';
import { type Dropped, useFileDrop } from './use-file-drop.ts';
import { useUploads } from './use-uploads.ts';

type RunningProps = { draft: Draft; manager: Manager };

/** From the first byte to the last answer. Nothing closes it meanwhile but ending each upload. */
function Running({ draft, manager }: RunningProps) {
  const { workspace, category, remark, files } = draft;
  const uploads = useUploads(files, async (file, options) => {
    await portal.uploadFile(
      {
        institutionBizId: manager.institution,
        workspaceBizId: workspace,
        fileCategory: category,
        ...(remark === '' ? {} : { remark }),
        file,
      },
      options,
    );
    void manager.refresh();
  });
  const { isRunning } = uploads;
  useStay(isRunning);
  const top = useRef<HTMLDivElement>(null);
  // The button that had the focus is gone with the form.
  useEffect(() => top.current?.focus(), []);
  return (
    <Dialog
      title={uploadWords.title}
      isWide
      mayClose={!isRunning}
      hasCloseButton={!isRunning}
      onClose={() => manager.finish()}
    >
      <div ref={top} tabIndex={-1} className={dialog['raised']}>
        <UploadRows uploads={uploads} />
        <Group justify="flex-end" mt="lg">
          <Button disabled={isRunning} onClick={() => manager.finish()}>
            {uploadWords.done}
          </Button>
        </Group>
      </div>
    </Dialog>
  );
}

type Props = { dropped: Dropped; workspace: string; category: Draft['category']; manager: Manager };

/** The dialog of an upload, from choosing to the end of the last one. */
export function UploadDialog({ dropped, workspace, category, manager }: Props) {
  const [draft, setDraft] = useState<Draft>({ workspace, category, remark: '', files: dropped.files });
  const [hasFolders, setHasFolders] = useState(dropped.hasFolders);
  const [isSent, setSent] = useState(false);
  const isOver = useFileDrop(!isSent, (more) => {
    setHasFolders(more.hasFolders);
    setDraft((old) => ({ ...old, files: [...old.files, ...more.files] }));
  });
  if (isSent) return <Running draft={draft} manager={manager} />;
  return (
    <Dialog title={uploadWords.title} isWide mayClose onClose={manager.close}>
      <UploadForm
        draft={draft}
        change={(to) => setDraft((old) => ({ ...old, ...to }))}
        hasFolders={hasFolders}
        manager={manager}
        onSubmit={() => setSent(true)}
      />
      <DropVeil isOver={isOver} />
    </Dialog>
  );
}
