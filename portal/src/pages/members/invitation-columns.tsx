import type { InvitationRecord } from '@portico/sdk/portal';
import type { Column } from '../../list/list-table.tsx';
import { formatName } from '../../ui/format.ts';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';
import { Moment } from '../../ui/values.tsx';
import classes from './columns.module.css';
import type { InvitationSort } from './list.ts';
import type { Manager } from './manager.ts';
import { type Choice, RowMenu } from './row-menu.tsx';

const tones: Readonly<Record<string, Tone>> = { PENDING: 'waiting', ACCEPTED: 'good' };

const details: readonly Column<InvitationRecord, InvitationSort>[] = [
  {
    header: 'Email',
    sort: 'email',
    width: 180,
    render: ({ email, inviterName }) => (
      <>
        <span className={classes['name']}>{email}</span>
        <span className={classes['email']}>by {inviterName ?? 'the operator'}</span>
      </>
    ),
  },
  { header: 'Role', sort: 'role', from: 'sm', width: 72, render: ({ role }) => formatName(role) },
  {
    header: 'Status',
    sort: 'status',
    width: 72,
    render: ({ status }) => <StatusBadge status={status} tone={tones[status] ?? 'neutral'} />,
  },
  {
    header: 'Invited',
    sort: 'createdAt',
    align: 'right',
    from: 'md',
    width: 80,
    render: ({ createdAt }) => <Moment at={createdAt} />,
  },
  {
    header: 'Ends',
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
      label: 'Revoke',
      isDanger: true,
      choose: (trigger) => begin({ action: 'revoke', invitation }, trigger),
    },
  ];
  return [
    ...details,
    {
      header: 'Actions',
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
