import { Button, Group, Text } from '@mantine/core';
import type { FileRecord } from '@portico/sdk/portal';
import { type Icon, IconArchive, IconArchiveOff, IconDownload, IconTrash, IconX } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { filesWords } from '../../words/files.tsx';
import { isServed, statusNote } from './file-status.tsx';
import type { Manager } from './manager.ts';
import { useDownload } from './use-download.ts';

type ActionProps = {
  label: string;
  icon: Icon;
  isDanger?: boolean;
  isPending?: boolean;
  onClick(event: MouseEvent<HTMLButtonElement>): void;
};

function Action({ label, icon: Sign, isDanger = false, isPending = false, onClick }: ActionProps) {
  return (
    <Button
      size="xs"
      variant="default"
      loading={isPending}
      {...(isDanger ? { c: 'var(--mantine-color-error)', 'aria-haspopup': 'dialog' as const } : {})}
      leftSection={<Sign size={14} aria-hidden />}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}

function Changes({ file, manager }: { file: FileRecord; manager: Manager }) {
  const { toggle, begin, quick } = manager;
  const { fileStatus } = file;
  if (manager.writable.length === 0) return null;
  const name = fileStatus === 'ARCHIVED' ? 'restore' : 'archive';
  return (
    <>
      {fileStatus === 'ACTIVE' || fileStatus === 'ARCHIVED' ? (
        // One button that keeps the focus while it changes its name.
        <Action
          label={filesWords[name]}
          icon={name === 'archive' ? IconArchive : IconArchiveOff}
          isPending={quick.isPending}
          onClick={() => toggle(name, file)}
        />
      ) : null}
      {fileStatus === 'PENDING' ? null : (
        <Action
          label={filesWords.delete}
          icon={IconTrash}
          isDanger
          onClick={({ currentTarget }) => begin({ action: 'delete', file }, currentTarget)}
        />
      )}
    </>
  );
}

/** What may be done with a file, and why something may not. */
export function FileActions({ file, manager }: { file: FileRecord; manager: Manager }) {
  const download = useDownload();
  const note = statusNote(file.fileStatus);
  const errors = [download.error, manager.quick.error].filter((error) => error !== null);
  return (
    <>
      {note === undefined ? null : <Text size="sm">{note}</Text>}
      <Group gap={8}>
        {isServed(file.fileStatus) ? (
          <Action
            label={filesWords.download}
            icon={IconDownload}
            isPending={download.isPending}
            onClick={() => download.start(file)}
          />
        ) : null}
        {download.isPending ? (
          <Action label={filesWords.stopDownload} icon={IconX} onClick={download.stop} />
        ) : null}
        <Changes file={file} manager={manager} />
      </Group>
      {errors.map((error) => (
        <ErrorNotice key={String(error)} error={error} />
      ))}
    </>
  );
}
