import type { MemberRecord } from '@portico/sdk/portal';
import type { Column } from '../../list/list-table.tsx';
import { formatName } from '../../ui/format.ts';
import { GivenName } from '../../ui/given-name.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Moment } from '../../ui/values.tsx';
import { memberDeedWords, membersWords } from '../../words/members.tsx';
import { uiWords } from '../../words/ui.ts';
import classes from './columns.module.css';
import type { MemberSort } from './list.ts';
import type { Manager } from './manager.ts';
import { type Choice, RowMenu } from './row-menu.tsx';

function choicesOf(member: MemberRecord, { isOwner, accountId, begin }: Manager): Choice[] {
  const isSelf = member.accountId === accountId;
  const change: Choice = {
    label: memberDeedWords.changeRole,
    choose: (trigger) => begin({ action: 'role', member }, trigger),
  };
  const signOut: Choice = {
    label: memberDeedWords.signOutEverywhere,
    choose: (trigger) => begin({ action: 'sign-out', member }, trigger),
  };
  const end: Choice = isSelf
    ? {
        label: memberDeedWords.leaveTitle,
        isDanger: true,
        choose: (trigger) => begin({ action: 'leave', member }, trigger),
      }
    : {
        label: memberDeedWords.remove,
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
        <GivenName>{member.name}</GivenName>
        {isSelf ? <span className={classes['quiet']}> {membersWords.you}</span> : null}
      </span>
      <span className={classes['email']}>
        <GivenName>{member.email}</GivenName>
      </span>
    </>
  );
}

const times = (): readonly Column<MemberRecord, MemberSort>[] => [
  {
    header: membersWords.lastSignIn,
    sort: 'lastSignInAt',
    align: 'right',
    from: 'sm',
    width: 80,
    render: ({ lastSignInAt }) =>
      lastSignInAt === null ? (
        <span className={classes['quiet']}>{uiWords.never}</span>
      ) : (
        <Moment at={lastSignInAt} />
      ),
  },
  {
    header: membersWords.joined,
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
      header: membersWords.name,
      sort: 'name',
      width: 180,
      render: (member) => <Who member={member} isSelf={member.accountId === manager.accountId} />,
    },
    { header: uiWords.role, sort: 'role', width: 72, render: ({ role }) => formatName(role) },
    {
      header: uiWords.status,
      sort: 'status',
      from: 'sm',
      width: 64,
      render: ({ status }) => <StatusBadge status={status} tone={status === 'ACTIVE' ? 'good' : 'neutral'} />,
    },
    ...times(),
    {
      header: uiWords.actions,
      align: 'right',
      width: 28,
      render: (member) => <RowMenu of={member.name} choices={choicesOf(member, manager)} />,
    },
  ];
}
