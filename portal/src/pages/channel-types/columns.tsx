import { UnstyledButton } from '@mantine/core';
import type { ChannelType } from '@portico/sdk/portal';
import type { Column } from '../../list/list-table.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TypeIcon } from '../../ui/type-icon.tsx';
import { Moment } from '../../ui/values.tsx';
import { channelTypesWords } from '../../words/channel-types.ts';
import { shippedText } from '../../words/shipped-types.ts';
import classes from './columns.module.css';
import { configurationOf } from './configuration.ts';
import type { SortField } from './list.ts';

export function TypeStatus({ status }: { status: string }) {
  return <StatusBadge status={status} tone={status === 'ENABLED' ? 'good' : 'neutral'} />;
}

function Opener({ type, open }: { type: ChannelType; open: (type: ChannelType) => void }) {
  return (
    <div className={classes['type']}>
      <TypeIcon code={type.typeCode} />
      <div className={classes['texts']}>
        <UnstyledButton
          className={classes['name']}
          aria-haspopup="dialog"
          onClick={(event) => {
            event.stopPropagation();
            open(type);
          }}
        >
          {shippedText(type.typeName)}
        </UnstyledButton>
        <span className={classes['description']}>{shippedText(type.typeDescription)}</span>
      </div>
    </div>
  );
}

function Settings({ config }: { config: unknown }) {
  const count = configurationOf(config)?.settings ?? 0;
  if (count === 0) return <span className={classes['none']}>{channelTypesWords.noSettings}</span>;
  return channelTypesWords.settingCount(count);
}

const details = (): readonly Column<ChannelType, SortField>[] => [
  {
    header: channelTypesWords.code,
    sort: 'typeCode',
    from: 'sm',
    width: 88,
    render: ({ typeCode }) => <span className={classes['code']}>{typeCode}</span>,
  },
  {
    header: channelTypesWords.status,
    sort: 'typeStatus',
    width: 72,
    render: ({ typeStatus }) => <TypeStatus status={typeStatus} />,
  },
  {
    header: channelTypesWords.configuration,
    from: 'md',
    width: 72,
    render: ({ extraConfig }) => <Settings config={extraConfig} />,
  },
  {
    header: channelTypesWords.value,
    sort: 'typeValue',
    align: 'right',
    from: 'lg',
    width: 24,
    render: ({ typeValue }) => typeValue,
  },
  {
    header: channelTypesWords.order,
    sort: 'displayOrder',
    align: 'right',
    from: 'md',
    width: 24,
    render: ({ displayOrder }) => displayOrder,
  },
  {
    header: channelTypesWords.created,
    sort: 'createdAt',
    align: 'right',
    from: 'xl',
    width: 88,
    render: ({ createdAt }) => <Moment at={createdAt} />,
  },
  {
    header: channelTypesWords.updated,
    sort: 'updatedAt',
    align: 'right',
    from: 'sm',
    folds: true,
    width: 88,
    render: ({ updatedAt }) => <Moment at={updatedAt} />,
  },
];

export function columnsOf(open: (type: ChannelType) => void): readonly Column<ChannelType, SortField>[] {
  return [
    {
      header: channelTypesWords.name,
      sort: 'typeName',
      width: 200,
      render: (type) => <Opener type={type} open={open} />,
    },
    ...details(),
  ];
}
