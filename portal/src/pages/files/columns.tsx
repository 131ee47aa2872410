import { UnstyledButton } from '@mantine/core';
import type { FileRecord } from '@portico/sdk/portal';
import type { Column } from '../../list/list-table.tsx';
import { formatName } from '../../ui/format.ts';
import { GivenName } from '../../ui/given-name.tsx';
import { Bytes, Moment } from '../../ui/values.tsx';
import { filesWords } from '../../words/files.tsx';
import classes from './columns.module.css';
import { FileStatus } from './file-status.tsx';
import type { SortField } from './list.ts';

export function columnsOf(open: (file: FileRecord) => void): readonly Column<FileRecord, SortField>[] {
  return [
    {
      header: filesWords.name,
      sort: 'originalFilename',
      width: 200,
      render: (file) => (
        <UnstyledButton
          className={classes['name']}
          aria-haspopup="dialog"
          onClick={(event) => {
            event.stopPropagation();
            open(file);
          }}
        >
          <GivenName>{file.originalFilename}</GivenName>
        </UnstyledButton>
      ),
    },
    {
      header: filesWords.category,
      sort: 'fileCategory',
      from: 'md',
      folds: true,
      width: 140,
      render: ({ fileCategory }) => formatName(fileCategory),
    },
    {
      header: filesWords.status,
      sort: 'fileStatus',
      width: 80,
      render: ({ fileStatus }) => <FileStatus status={fileStatus} />,
    },
    {
      header: filesWords.type,
      sort: 'contentType',
      from: 'lg',
      width: 120,
      render: ({ contentType }) => (
        <span className={classes['type']} title={contentType}>
          {contentType}
        </span>
      ),
    },
    {
      header: filesWords.size,
      sort: 'fileSize',
      align: 'right',
      from: 'sm',
      folds: true,
      width: 56,
      render: ({ fileSize }) => <Bytes count={fileSize} />,
    },
    {
      header: filesWords.created,
      sort: 'createdAt',
      align: 'right',
      from: 'sm',
      folds: true,
      width: 88,
      render: ({ createdAt }) => <Moment at={createdAt} />,
    },
  ];
}
