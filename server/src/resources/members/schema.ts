import { Type } from 'typebox';
import { accountStatuses, role } from '../../auth/portal/member-record.ts';

export const MemberFilters = Type.Object({
  role: Type.Optional(role('Only members of this role.')),
  status: Type.Optional(
    Type.String({ enum: [...accountStatuses], description: 'Only members whose account has this status.' }),
  ),
});

export const MemberChange = Type.Object(
  { role: role('What the member may do then.') },
  { title: 'MemberChange' },
);
