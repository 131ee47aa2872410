import { Stack, Text } from '@mantine/core';
import type { FileRecord } from '@portico/sdk/portal';
import { RecordDrawer } from '../../list/record-drawer.tsx';
import { TestMark } from '../../list/test-frame.tsx';
import type { RecordResult } from '../../list/use-record.ts';
import { Fields } from '../../ui/fields.tsx';
import { formatBytes, formatExact, formatExactBytes, formatName, formatRelative } from '../../ui/format.ts';
import { GivenName } from '../../ui/given-name.tsx';
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
    { name: 'File id', value: mono(file.bizId), copy: file.bizId },
    { name: 'Name', value: <GivenName>{file.originalFilename}</GivenName>, copy: file.originalFilename },
    { name: 'Category', value: formatName(file.fileCategory) },
    { name: 'Status', value: <FileStatus status={file.fileStatus} /> },
    { name: 'Content type', value: file.contentType },
    { name: 'Size', value: `${formatBytes(file.fileSize)} (${formatExactBytes(file.fileSize)})` },
    {
      name: 'Created',
      value: `${formatExact(file.createdAt)} (${formatRelative(file.createdAt, Date.now())})`,
      copy: file.createdAt,
    },
    { name: 'Created by', value: mono(file.createdBy), copy: file.createdBy },
    { name: 'Bucket', value: mono(file.bucket), copy: file.bucket },
    { name: 'Object key', value: mono(file.objectKey), copy: file.objectKey },
    { name: 'ETag', value: mono(file.etag), copy: file.etag },
    {
      name: 'Remark',
      value:
        file.remark === '' ? (
          <Text span c="dimmed" size="sm">
            None
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
      noun="file"
      result={file}
      title={({ originalFilename }) => <GivenName>{originalFilename}</GivenName>}
      isCovered={manager.task !== undefined}
      onClose={onClose}
    >
      {(found) => (
        <Stack gap="md">
          {isTest ? (
            <div>
              <TestMark />
            </div>
          ) : null}
          <FileActions file={found} manager={manager} />
          <Fields fields={fieldsOf(found)} />
        </Stack>
      )}
    </RecordDrawer>
  );
}
