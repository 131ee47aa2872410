import { UnstyledButton } from '@mantine/core';
import type { RequestRecord } from '@portico/sdk/portal';
import type { Column } from '../../list/list-table.tsx';
import { meaningOf } from '../../ui/error-text.ts';
import { formatDuration } from '../../ui/format.ts';
import { GivenName } from '../../ui/given-name.tsx';
import { Moment } from '../../ui/values.tsx';
import { requestWords as words } from '../../words/requests.ts';
import classes from './columns.module.css';
import type { SortField } from './list.ts';
import { askedText, RequestResult } from './marks.tsx';

type Open = (request: RequestRecord) => void;

function Opener({ request, open }: { request: RequestRecord; open: Open }) {
  return (
    <UnstyledButton
      className={classes['asked']}
      aria-haspopup="dialog"
      onClick={(event) => {
        event.stopPropagation();
        open(request);
      }}
    >
      {askedText(request)}
    </UnstyledButton>
  );
}

function Result({ request: { status, code } }: { request: RequestRecord }) {
  return (
    <span className={classes['result']}>
      <RequestResult status={status} />
      {status < 400 ? null : (
        <code className={classes['code']} title={meaningOf(code)}>
          {code}
        </code>
      )}
    </span>
  );
}

const details = (): readonly Column<RequestRecord, SortField>[] => [
  { header: words.result, width: 110, render: (request) => <Result request={request} /> },
  {
    header: words.key,
    from: 'sm',
    folds: true,
    width: 140,
    render: ({ apiKeyName, apiKeyId }) => (
      <span className={classes['name']} title={apiKeyId}>
        <GivenName>{apiKeyName}</GivenName>
      </span>
    ),
  },
  {
    header: words.address,
    from: 'lg',
    width: 120,
    render: ({ ipAddress }) => <span className={classes['mono']}>{ipAddress ?? words.unknown}</span>,
  },
  {
    header: words.took,
    align: 'right',
    from: 'md',
    width: 56,
    render: ({ durationMs }) => formatDuration(durationMs),
  },
  {
    header: words.requestId,
    from: 'xl',
    width: 200,
    render: ({ requestId }) => (
      <span className={classes['id']} title={requestId}>
        {requestId}
      </span>
    ),
  },
  {
    header: words.when,
    sort: 'occurredAt',
    align: 'right',
    from: 'sm',
    folds: true,
    width: 120,
    render: ({ occurredAt }) => <Moment at={occurredAt} />,
  },
];

export const columnsOf = (open: Open): readonly Column<RequestRecord, SortField>[] => [
  {
    header: words.asked,
    width: 200,
    render: (request) => <Opener request={request} open={open} />,
  },
  ...details(),
];
