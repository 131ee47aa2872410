import { UnstyledButton } from '@mantine/core';
import type { ChannelRecord } from '@portico/sdk/portal';
import type { Column } from '../../list/list-table.tsx';
import { formatRelative } from '../../ui/format.ts';
import { GivenName } from '../../ui/given-name.tsx';
import { Hint } from '../../ui/hint.tsx';
import { TypeIcon } from '../../ui/type-icon.tsx';
import { Moment } from '../../ui/values.tsx';
import { channelsWords } from '../../words/channels.ts';
import classes from './columns.module.css';
import type { SortField } from './list.ts';
import { ChannelStatus } from './marks.tsx';
import { typesText } from './words.ts';

type Open = (channel: ChannelRecord) => void;

/** What is worth knowing beside the status. */
function healthNote({ status, failingSince, lastSuccessAt }: ChannelRecord): string {
  const now = Date.now();
  if (status === 'FAILING' && failingSince !== null)
    return channelsWords.began(formatRelative(failingSince, now));
  if (status === 'ACTIVE')
    return lastSuccessAt === null
      ? channelsWords.nothingSent
      : channelsWords.arrived(formatRelative(lastSuccessAt, now));
  return '';
}

type NameOf = (typeCode: string) => string;
type OpenerProps = { channel: ChannelRecord; open: Open; nameOf: NameOf };

function Opener({ channel, open, nameOf }: OpenerProps) {
  return (
    <div className={classes['channel']}>
      <TypeIcon code={channel.typeCode} />
      <div className={classes['texts']}>
        <UnstyledButton
          className={classes['name']}
          onClick={(event) => {
            event.stopPropagation();
            open(channel);
          }}
        >
          <GivenName>{channel.name}</GivenName>
        </UnstyledButton>
        <span className={classes['type']}>{nameOf(channel.typeCode)}</span>
      </div>
    </div>
  );
}

const details = (): readonly Column<ChannelRecord, SortField>[] => [
  {
    header: channelsWords.status,
    sort: 'status',
    width: 88,
    render: (channel) => (
      <>
        <ChannelStatus status={channel.status} />
        <span className={classes['note']}>{healthNote(channel)}</span>
      </>
    ),
  },
  {
    header: channelsWords.events,
    from: 'sm',
    folds: true,
    width: 120,
    render: ({ eventTypes }) => (
      <span className={classes['events']}>
        <Hint
          exact={eventTypes.length > 8 ? channelsWords.eventCount(eventTypes.length) : eventTypes.join(', ')}
        >
          {typesText(eventTypes)}
        </Hint>
      </span>
    ),
  },
  {
    header: channelsWords.created,
    sort: 'createdAt',
    align: 'right',
    from: 'md',
    width: 88,
    render: ({ createdAt }) => <Moment at={createdAt} />,
  },
];

export function columnsOf(open: Open, nameOf: NameOf): readonly Column<ChannelRecord, SortField>[] {
  return [
    {
      header: channelsWords.name,
      sort: 'name',
      width: 180,
      render: (channel) => <Opener channel={channel} open={open} nameOf={nameOf} />,
    },
    ...details(),
  ];
}
