import { Type } from 'typebox';
import { workspaceRoles } from '../../auth/portal/roles.ts';

const accountStatuses = ['ACTIVE', 'DISABLED'] as const;

const role = (description: string) => Type.String({ enum: [...workspaceRoles], description });

export const MemberRecord = Type.Object(
  {
    accountId: Type.String({ description: 'Identifier of the account.', examples: ['ACC_DEMO_VIEWER'] }),
    email: Type.String({ description: 'E-mail address of the account.', examples: ['viewer@demo.test'] }),
    name: Type.String({ description: 'Name of the person.', examples: ['Demo Viewer'] }),
    role: role('What the member may do: OWNER everything, MEMBER work, VIEWER look.'),
    status: Type.String({ enum: [...accountStatuses], description: 'A disabled account may do nothing.' }),
    lastSignInAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When the account last signed in; null: not yet.',
      examples: ['2026-01-01T00:00:00.000Z'],
    }),
    joinedAt: Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' }),
  },
  { title: 'MemberRecord' },
);

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
