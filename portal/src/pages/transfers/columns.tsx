import { UnstyledButton } from '@mantine/core';
import type { Transfer } from '@portico/sdk/portal';
import type { Column } from '../../list/list-table.tsx';
import { GivenName } from '../../ui/given-name.tsx';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';
import { Moment } from '../../ui/values.tsx';
import { transfersWords } from '../../words/transfers.tsx';
import { currencyName, formatAmount } from './amount.ts';
import classes from './columns.module.css';
import type { SortField } from './list.ts';

const tones: Record<string, Tone> = {
  PENDING: 'waiting',
  PROCESSING: 'waiting',
  COMPLETED: 'good',
  FAILED: 'bad',
};

export function TransferStatus({ status }: { status: string }) {
  return <StatusBadge status={status} tone={tones[status] ?? 'neutral'} />;
}

export function Amount({ transfer: { amount, currency } }: { transfer: Transfer }) {
  return (
    <>
      {formatAmount(amount)} <span className={classes['currency']}>{currency}</span>
    </>
  );
}

function Opener({ transfer, open }: { transfer: Transfer; open: (transfer: Transfer) => void }) {
  return (
    <UnstyledButton
      className={classes['amount']}
      aria-haspopup="dialog"
      onClick={(event) => {
        event.stopPropagation();
        open(transfer);
      }}
    >
      <Amount transfer={transfer} />
    </UnstyledButton>
  );
}

const details = (): readonly Column<Transfer, SortField>[] => [
  {
    header: transfersWords.status,
    sort: 'status',
    width: 80,
    render: ({ status }) => <TransferStatus status={status} />,
  },
  {
    header: transfersWords.currency,
    sort: 'currency',
    from: 'md',
    width: 96,
    render: ({ currency }) => currencyName(currency),
  },
  {
    header: transfersWords.reference,
    from: 'md',
    folds: true,
    width: 160,
    render: ({ reference }) => (
      <span className={classes['reference']} title={reference ?? undefined}>
        {reference === null ? (
          <span className={classes['none']}>{transfersWords.noReference}</span>
        ) : (
          <GivenName>{reference}</GivenName>
        )}
      </span>
    ),
  },
  {
    header: transfersWords.transferId,
    from: 'sm',
    width: 128,
    render: ({ transferId }) => <span className={classes['id']}>{transferId}</span>,
  },
  {
    header: transfersWords.updated,
    sort: 'updatedAt',
    align: 'right',
    from: 'lg',
    width: 88,
    render: ({ updatedAt }) => <Moment at={updatedAt} />,
  },
  {
    header: transfersWords.created,
    sort: 'createdAt',
    align: 'right',
    from: 'sm',
    folds: true,
    width: 88,
    render: ({ createdAt }) => <Moment at={createdAt} />,
  },
];

export function columnsOf(open: (transfer: Transfer) => void): readonly Column<Transfer, SortField>[] {
  return [
    {
      header: transfersWords.amount,
      sort: 'amount',
      align: 'right',
      width: 104,
      render: (transfer) => <Opener transfer={transfer} open={open} />,
    },
    ...details(),
  ];
}
