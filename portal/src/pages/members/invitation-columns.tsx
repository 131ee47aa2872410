import type { InvitationRecord } from '@portico/sdk/portal';
import type { Column } from '../../list/list-table.tsx';
import { formatName } from '../../ui/format.ts';
import { GivenName } from '../../ui/given-name.tsx';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';
import { Moment } from '../../ui/values.tsx';
import { memberDeedWords, membersWords } from '../../words/members.tsx';
import { uiWords } from '../../words/ui.ts';
import classes from './columns.module.css';
import type { InvitationSort } from './list.ts';
import type { Manager } from './manager.ts';
import { type Choice, RowMenu } from './row-menu.tsx';

const tones: Readonly<Record<string, Tone>> = { PENDING: 'waiting', ACCEPTED: 'good' };

const details = (): readonly Column<InvitationRecord, InvitationSort>[] => [
  {
    header: uiWords.email,
    sort: 'email',
    width: 180,
    render: ({ email, inviterName }) => (
      <>
        <span className={classes['name']}>
          <GivenName>{email}</GivenName>
        </span>
        <span className={classes['email']}>
          {membersWords.by(<GivenName>{inviterName ?? membersWords.theOperator}</GivenName>)}
        </span>
      </>
    ),
  },
  { header: uiWords.role, sort: 'role', from: 'sm', width: 72, render: ({ role }) => formatName(role) },
  {
    header: uiWords.status,
    sort: 'status',
    width: 72,
    render: ({ status }) => <StatusBadge status={status} tone={tones[status] ?? 'neutral'} />,
  },
  {
    header: membersWords.invited,
    sort: 'createdAt',
    align: 'right',
    from: 'md',
    width: 80,
    render: ({ createdAt }) => <Moment at={createdAt} />,
  },
  {
    header: membersWords.ends,
    sort: 'expiresAt',
    align: 'right',
    from: 'sm',
    width: 80,
    render: ({ expiresAt }) => <Moment at={expiresAt} />,
  },
];

export function invitationColumns({ begin }: Manager): readonly Column<InvitationRecord, InvitationSort>[] {
  const choicesOf = (invitation: InvitationRecord): Choice[] => [
    {
      label: memberDeedWords.revoke,
      isDanger: true,
      choose: (trigger) => begin({ action: 'revoke', invitation }, trigger),
    },
  ];
  return [
    ...details(),
    {
      header: uiWords.actions,
      align: 'right',
      width: 28,
      render: (invitation) => (
        <RowMenu
          of={invitation.email}
          choices={invitation.status === 'PENDING' ? choicesOf(invitation) : []}
        />
      ),
    },
  ];
}
