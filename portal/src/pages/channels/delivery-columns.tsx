import { UnstyledButton } from '@mantine/core';
import type { DeliveryRecord } from '@portico/sdk/portal';
import type { Column } from '../../list/list-table.tsx';
import { eventText } from '../../ui/event-words.ts';
import { formatDuration } from '../../ui/format.ts';
import { Moment } from '../../ui/values.tsx';
import { deliveriesWords } from '../../words/channels.ts';
import classes from './delivery-columns.module.css';
import type { DeliverySort } from './list.ts';
import { DeliveryStatus } from './marks.tsx';
import { nextText, responseText } from './words.ts';

type Open = (delivery: DeliveryRecord) => void;

function Opener({ delivery, open }: { delivery: DeliveryRecord; open: Open }) {
  return (
    <>
      <UnstyledButton
        className={classes['type']}
        aria-haspopup="dialog"
        onClick={(event) => {
          event.stopPropagation();
          open(delivery);
        }}
      >
        {delivery.eventType}
      </UnstyledButton>
      <span className={classes['id']}>
        {eventText(delivery.eventType)} · {delivery.eventId}
      </span>
    </>
  );
}

const details = (): readonly Column<DeliveryRecord, DeliverySort>[] => [
  {
    header: deliveriesWords.status,
    width: 96,
    render: (delivery) => (
      <>
        <DeliveryStatus status={delivery.status} />
        <span className={classes['note']}>{nextText(delivery, Date.now())}</span>
      </>
    ),
  },
  {
    header: deliveriesWords.attempts,
    align: 'right',
    from: 'sm',
    width: 24,
    render: ({ attempts }) => attempts,
  },
  {
    header: deliveriesWords.response,
    from: 'sm',
    width: 64,
    render: (delivery) => responseText(delivery),
  },
  {
    header: deliveriesWords.duration,
    align: 'right',
    from: 'lg',
    width: 48,
    render: ({ durationMs }) => (durationMs === null ? '' : formatDuration(durationMs)),
  },
  {
    header: deliveriesWords.created,
    sort: 'createdAt',
    align: 'right',
    from: 'sm',
    folds: true,
    width: 88,
    render: ({ createdAt }) => <Moment at={createdAt} />,
  },
];

export function columnsOf(open: Open): readonly Column<DeliveryRecord, DeliverySort>[] {
  return [
    {
      header: deliveriesWords.event,
      width: 160,
      render: (delivery) => <Opener delivery={delivery} open={open} />,
    },
    ...details(),
  ];
}
