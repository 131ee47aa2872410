import type { Static } from 'typebox';
import type { MemberPath } from '../../auth/portal/member-path.ts';
import { type LockedMember, lockMember } from '../../auth/portal/members.ts';
import type { WorkspaceGround } from '../../auth/portal/roles.ts';
import { ApiError } from '../../contract/api-error.ts';
import type { Step } from '../../contract/command.ts';

type OfMember = Pick<Step<unknown, WorkspaceGround, Static<typeof MemberPath>>, 'tx' | 'place' | 'input'>;

/** Every change is made on the locked membership. */
export async function lockedMember({ tx, place, input }: OfMember): Promise<LockedMember> {
  const member = await lockMember(tx, place.workspaceId, input.accountId);
  if (member === undefined) throw new ApiError('4040', 'the workspace has no such member');
  return member;
}
