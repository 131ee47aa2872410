import { Drawer, Text } from '@mantine/core';
import type { FileRecord } from '@portico/sdk/portal';
import { Fields } from '../../ui/fields.tsx';
import { formatBytes, formatExact, formatExactBytes, formatName, formatRelative } from '../../ui/format.ts';
import { FileStatus } from './columns.tsx';

const mono = (text: string) => (
  <Text span size="sm" ff="monospace">
    {text}
  </Text>
);

function fieldsOf(file: FileRecord) {
  return [
    { name: 'File id', value: mono(file.bizId), copy: file.bizId },
    { name: 'Name', value: file.originalFilename, copy: file.originalFilename },
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
          file.remark
        ),
    },
  ];
}

/** Everything the service says of a file. */
export function FileDrawer({ file, onClose }: { file: FileRecord | undefined; onClose: () => void }) {
  return (
    <Drawer
      opened={file !== undefined}
      onClose={onClose}
      position="right"
      size={520}
      title={file?.originalFilename}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {file === undefined ? null : <Fields fields={fieldsOf(file)} />}
    </Drawer>
  );
}
