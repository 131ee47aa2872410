import type { MemberRecord } from '@portico/sdk/portal';
import type { Column } from '../../list/list-table.tsx';
import { formatName } from '../../ui/format.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Moment } from '../../ui/values.tsx';
import classes from './columns.module.css';
import type { MemberSort } from './list.ts';
import type { Manager } from './manager.ts';
import { type Choice, RowMenu } from './row-menu.tsx';

function choicesOf(member: MemberRecord, { isOwner, accountId, begin }: Manager): Choice[] {
  const isSelf = member.accountId === accountId;
  const change: Choice = {
    label: 'Change role',
    choose: (trigger) => begin({ action: 'role', member }, trigger),
  };
  const signOut: Choice = {
    label: 'Sign out everywhere',
    choose: (trigger) => begin({ action: 'sign-out', member }, trigger),
  };
  const end: Choice = isSelf
    ? {
        label: 'Leave the workspace',
        isDanger: true,
        choose: (trigger) => begin({ action: 'leave', member }, trigger),
      }
    : {
        label: 'Remove',
        isDanger: true,
        choose: (trigger) => begin({ action: 'remove', member }, trigger),
      };
  if (isOwner) return [change, ...(isSelf ? [] : [signOut]), end];
  return isSelf ? [end] : [];
}

/** Who it is, and whether that is oneself. */
function Who({ member, isSelf }: { member: MemberRecord; isSelf: boolean }) {
  return (
    <>
      <span className={classes['name']}>
        {member.name}
        {isSelf ? <span className={classes['quiet']}> (you)</span> : null}
      </span>
      <span className={classes['email']}>{member.email}</span>
    </>
  );
}

const times: readonly Column<MemberRecord, MemberSort>[] = [
  {
    header: 'Last sign-in',
    sort: 'lastSignInAt',
    align: 'right',
    from: 'sm',
    width: 80,
    render: ({ lastSignInAt }) =>
      lastSignInAt === null ? <span className={classes['quiet']}>Never</span> : <Moment at={lastSignInAt} />,
  },
  {
    header: 'Joined',
    sort: 'joinedAt',
    align: 'right',
    from: 'md',
    width: 80,
    render: ({ joinedAt }) => <Moment at={joinedAt} />,
  },
];

export function memberColumns(manager: Manager): readonly Column<MemberRecord, MemberSort>[] {
  return [
    {
      header: 'Name',
      sort: 'name',
      width: 180,
      render: (member) => <Who member={member} isSelf={member.accountId === manager.accountId} />,
    },
    { header: 'Role', sort: 'role', width: 72, render: ({ role }) => formatName(role) },
    {
      header: 'Status',
      sort: 'status',
      from: 'sm',
      width: 64,
      render: ({ status }) => <StatusBadge status={status} tone={status === 'ACTIVE' ? 'good' : 'neutral'} />,
    },
    ...times,
    {
      header: 'Actions',
      align: 'right',
      width: 28,
      render: (member) => <RowMenu of={member.name} choices={choicesOf(member, manager)} />,
    },
  ];
}
