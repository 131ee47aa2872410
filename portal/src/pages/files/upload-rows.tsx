import { ActionIcon, Button, Group, Progress, Text } from '@mantine/core';
import { NetworkError, PorticoError } from '@portico/sdk/portal';
import { IconCircleCheck, IconCircleX, IconX } from '@tabler/icons-react';
import { messageOf } from '../../ui/error-text.ts';
import { formatBytes } from '../../ui/format.ts';
import { GivenName } from '../../ui/given-name.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { uploadWords } from '../../words/files.tsx';
import classes from './upload.module.css';
import type { Upload, Uploads } from './use-uploads.ts';

/** What was refused for what it is would be refused again. */
function isLasting({ status, error }: Upload): boolean {
  const code = error instanceof PorticoError ? error.status : undefined;
  return (
    status === 'failed' && code !== undefined && code >= 400 && code < 500 && code !== 409 && code !== 429
  );
}

function stateText({ status, sent, file, error }: Upload): string {
  if (status === 'waiting') return uploadWords.waiting;
  if (status === 'done') return uploadWords.uploaded;
  if (status === 'cancelled') return uploadWords.cancelled;
  // Sent again, it is the same upload.
  if (status === 'failed') return error instanceof NetworkError ? uploadWords.lost : messageOf(error);
  if (sent >= 1) return uploadWords.storing;
  return uploadWords.sentOf(formatBytes(Math.round(sent * file.size)), formatBytes(file.size));
}

function Bar({ upload: { status, sent, file } }: { upload: Upload }) {
  if (status !== 'sending' && status !== 'waiting') return null;
  const percent = Math.floor(sent * 100);
  return (
    <Progress.Root size="sm" transitionDuration={0}>
      <Progress.Section value={percent} aria-label={uploadWords.uploadOf(visibleText(file.name))} />
    </Progress.Root>
  );
}

function Way({ upload, uploads }: { upload: Upload; uploads: Uploads }) {
  const { id, status, file } = upload;
  const name = visibleText(file.name);
  if (status === 'done') return <IconCircleCheck size={20} aria-hidden className={classes['good']} />;
  if (status === 'sending' || status === 'waiting')
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={uploadWords.cancelUpload(name)}
        onClick={() => uploads.cancel(id)}
      >
        <IconX size={18} />
      </ActionIcon>
    );
  if (isLasting(upload)) return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={uploadWords.tryAgainOf(name)}
      onClick={() => uploads.retry(id)}
    >
      {uploadWords.tryAgain}
    </Button>
  );
}

function summaryOf(all: readonly Upload[]): string {
  const count = (status: Upload['status']) => all.filter((each) => each.status === status).length;
  const [done, failed, cancelled] = [count('done'), count('failed'), count('cancelled')];
  return [
    uploadWords.doneOf(done, all.length),
    ...(failed === 0 ? [] : [uploadWords.refused(failed)]),
    ...(cancelled === 0 ? [] : [uploadWords.cancelledCount(cancelled)]),
  ].join(uploadWords.between);
}

/** Each file with how far it is, and the way to end it. */
export function UploadRows({ uploads }: { uploads: Uploads }) {
  return (
    <>
      <Text size="sm" role="status" mb="xs">
        {summaryOf(uploads.all)}
      </Text>
      <ul className={classes['rows']}>
        {uploads.all.map((upload) => (
          <li key={upload.id} className={classes['row']} data-status={upload.status}>
            <Group justify="space-between" wrap="nowrap" gap="sm">
              <div className={classes['what']}>
                <span className={classes['name']}>
                  <GivenName>{upload.file.name}</GivenName>
                </span>
                <span className={classes['state']}>
                  {upload.status === 'failed' ? <IconCircleX size={14} aria-hidden /> : null}
                  {stateText(upload)}
                </span>
              </div>
              <Way upload={upload} uploads={uploads} />
            </Group>
            <Bar upload={upload} />
          </li>
        ))}
      </ul>
    </>
  );
}
