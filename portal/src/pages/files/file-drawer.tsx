import { Stack, Text } from '@mantine/core';
import type { FileRecord } from '@portico/sdk/portal';
import { RecordDrawer } from '../../list/record-drawer.tsx';
import type { RecordResult } from '../../list/use-record.ts';
import { ExactTime } from '../../ui/exact-time.tsx';
import { Fields } from '../../ui/fields.tsx';
import { formatBytes, formatExactBytes, formatName } from '../../ui/format.ts';
import { GivenName } from '../../ui/given-name.tsx';
import { ModeMark } from '../../ui/mode-band.tsx';
import { filesWords } from '../../words/files.tsx';
import { FileActions } from './file-actions.tsx';
import { FileStatus } from './file-status.tsx';
import type { Manager } from './manager.ts';

const mono = (text: string) => (
  <Text span size="sm" ff="monospace">
    {text}
  </Text>
);

function fieldsOf(file: FileRecord) {
  return [
    { name: filesWords.fileId, value: mono(file.bizId), copy: file.bizId },
    {
      name: filesWords.name,
      value: <GivenName>{file.originalFilename}</GivenName>,
      copy: file.originalFilename,
    },
    { name: filesWords.category, value: formatName(file.fileCategory) },
    { name: filesWords.status, value: <FileStatus status={file.fileStatus} /> },
    { name: filesWords.contentType, value: file.contentType },
    {
      name: filesWords.size,
      value: filesWords.both(formatBytes(file.fileSize), formatExactBytes(file.fileSize)),
    },
    { name: filesWords.created, value: <ExactTime at={file.createdAt} />, copy: file.createdAt },
    { name: filesWords.createdBy, value: mono(file.createdBy), copy: file.createdBy },
    { name: filesWords.bucket, value: mono(file.bucket), copy: file.bucket },
    { name: filesWords.objectKey, value: mono(file.objectKey), copy: file.objectKey },
    { name: filesWords.etag, value: mono(file.etag), copy: file.etag },
    {
      name: filesWords.remark,
      value:
        file.remark === '' ? (
          <Text span c="dimmed" size="sm">
            {filesWords.noRemark}
          </Text>
        ) : (
          <GivenName>{file.remark}</GivenName>
        ),
    },
  ];
}

type Props = {
  file: RecordResult<FileRecord>;
  /** Of the list that it is opened from. */
  isTest: boolean;
  manager: Manager;
  onClose: () => void;
};

/** Everything the service says of a file, and what may be done with it. */
export function FileDrawer({ file, isTest, manager, onClose }: Props) {
  return (
    <RecordDrawer
      noun={filesWords.file}
      result={file}
      title={({ originalFilename }) => <GivenName>{originalFilename}</GivenName>}
      isCovered={manager.task !== undefined}
      onClose={onClose}
    >
      {(found) => (
        <Stack gap="md">
          {isTest ? (
            <div>
              <ModeMark mode="TEST" />
            </div>
          ) : null}
          <FileActions file={found} manager={manager} />
          <Fields fields={fieldsOf(found)} />
        </Stack>
      )}
    </RecordDrawer>
  );
}
