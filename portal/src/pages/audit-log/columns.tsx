import { UnstyledButton } from '@mantine/core';
import type { AuditLogRecord } from '@portico/sdk/portal';
import type { Column } from '../../list/list-table.tsx';
import { actionText } from '../../ui/audit-words.ts';
import { Moment } from '../../ui/values.tsx';
import classes from './columns.module.css';
import type { SortField } from './list.ts';

function Opener({ record, open }: { record: AuditLogRecord; open: (record: AuditLogRecord) => void }) {
  return (
    <UnstyledButton
      className={classes['action']}
      aria-haspopup="dialog"
      onClick={(event) => {
        event.stopPropagation();
        open(record);
      }}
    >
      {actionText(record.action)}
    </UnstyledButton>
  );
}

const details: readonly Column<AuditLogRecord, SortField>[] = [
  {
    header: 'By',
    width: 140,
    render: ({ actorName, occurredAt }) => (
      <>
        {actorName}
        <div className={classes['when']}>
          <Moment at={occurredAt} />
        </div>
      </>
    ),
  },
  {
    header: 'On',
    from: 'md',
    width: 200,
    render: ({ subjectId }) => (
      <span className={classes['id']} title={subjectId}>
        {subjectId}
      </span>
    ),
  },
  {
    header: 'Changed',
    from: 'lg',
    width: 160,
    render: ({ changes }) => {
      const fields = Object.keys(changes).join(', ');
      return (
        <span className={classes['fields']} title={fields}>
          {fields}
        </span>
      );
    },
  },
  {
    header: 'From address',
    from: 'lg',
    width: 120,
    render: ({ ipAddress }) => <span className={classes['id']}>{ipAddress}</span>,
  },
  {
    header: 'Number',
    sort: 'sequence',
    align: 'right',
    from: 'md',
    width: 88,
    render: ({ sequence }) => sequence,
  },
  {
    header: 'When',
    sort: 'occurredAt',
    align: 'right',
    from: 'sm',
    width: 104,
    render: ({ occurredAt }) => <Moment at={occurredAt} />,
  },
];

export function columnsOf(
  open: (record: AuditLogRecord) => void,
): readonly Column<AuditLogRecord, SortField>[] {
  return [
    {
      header: 'What',
      width: 180,
      render: (record) => <Opener record={record} open={open} />,
    },
    ...details,
  ];
}
