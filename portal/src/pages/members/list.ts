import {
  type InvitationRecord,
  invitationStatuses,
  type MemberRecord,
  workspaceRoles,
} from '@portico/sdk/portal';
import { useCallback } from 'react';
import { useSearchParams } from 'wouter';
import { defineList } from '../../list/url-state.ts';

export type MemberSort = 'name' | 'role' | 'status' | 'lastSignInAt' | 'joinedAt';
export type InvitationSort = 'createdAt' | 'email' | 'role' | 'status' | 'expiresAt';

/** What saved lists have of each. */
export const savedMemberFields: readonly (keyof MemberRecord)[] = [
  'accountId',
  'name',
  'email',
  'role',
  'status',
  'lastSignInAt',
  'joinedAt',
];
export const savedInvitationFields: readonly (keyof InvitationRecord)[] = [
  'invitationId',
  'email',
  'role',
  'status',
  'inviterName',
  'createdAt',
  'expiresAt',
];

export const membersList = defineList<MemberSort, 'role'>({
  sortable: ['name', 'role', 'status', 'lastSignInAt', 'joinedAt'],
  defaultSort: { field: 'name', direction: 'asc' },
  filters: { role: workspaceRoles },
});

export const invitationsList = defineList<InvitationSort, 'status'>({
  sortable: ['createdAt', 'email', 'role', 'status', 'expiresAt'],
  defaultSort: { field: 'createdAt', direction: 'desc' },
  filters: { status: invitationStatuses },
});

/** Of both lists of a workspace. */
export const teamQuery = (workspaceId: string) => ['team', workspaceId];

const parameter = 'view';
type View = 'members' | 'invitations';

/** Which of the two lists the address names; what it says of one is not for the other. */
export function useView(): [View, (view: View) => void] {
  const [params, setParams] = useSearchParams();
  const set = useCallback(
    (view: View) =>
      setParams((old) => {
        const workspace = old.get('workspace');
        return {
          ...(workspace === null ? {} : { workspace }),
          ...(view === 'members' ? {} : { [parameter]: view }),
        };
      }),
    [setParams],
  );
  return [params.get(parameter) === 'invitations' ? 'invitations' : 'members', set];
}
