import { UnstyledButton } from '@mantine/core';
import type { AuditLogRecord } from '@portico/sdk/portal';
import type { Column } from '../../list/list-table.tsx';
import { actionText } from '../../ui/audit-words.ts';
import { GivenName } from '../../ui/given-name.tsx';
import { Moment } from '../../ui/values.tsx';
import { auditLogWords } from '../../words/audit-log.ts';
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

const details = (): readonly Column<AuditLogRecord, SortField>[] => [
  {
    header: auditLogWords.by,
    width: 140,
    render: ({ actorName }) => <GivenName>{actorName}</GivenName>,
  },
  {
    header: auditLogWords.on,
    from: 'md',
    folds: true,
    width: 200,
    render: ({ subjectId }) => (
      <span className={classes['id']} title={subjectId}>
        {subjectId}
      </span>
    ),
  },
  {
    header: auditLogWords.changed,
    from: 'lg',
    folds: true,
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
    header: auditLogWords.fromAddress,
    from: 'xl',
    width: 120,
    render: ({ ipAddress }) => <span className={classes['id']}>{ipAddress}</span>,
  },
  {
    header: auditLogWords.number,
    sort: 'sequence',
    align: 'right',
    from: 'md',
    width: 88,
    render: ({ sequence }) => sequence,
  },
  {
    header: auditLogWords.when,
    sort: 'occurredAt',
    align: 'right',
    from: 'sm',
    folds: true,
    width: 104,
    render: ({ occurredAt }) => <Moment at={occurredAt} />,
  },
];

export function columnsOf(
  open: (record: AuditLogRecord) => void,
): readonly Column<AuditLogRecord, SortField>[] {
  return [
    {
      header: auditLogWords.what,
      width: 180,
      render: (record) => <Opener record={record} open={open} />,
    },
    ...details(),
  ];
}
