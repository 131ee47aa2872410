import { Type } from 'typebox';
import { InvitationRecord } from '../../auth/portal/invitation-record.ts';
import { invitationStatuses } from '../../auth/portal/invitations.ts';
import { NewPassword } from '../../auth/portal/password-rule.ts';
import { AccountLocale, EmailAddress, PersonName } from '../../auth/portal/person-fields.ts';
import { Tokens } from '../../auth/portal/signed-in.ts';
import { WorkspacePath } from '../../auth/portal/workspace-path.ts';

const { invitationId, email, role, inviterName, expiresAt } = InvitationRecord.properties;
const workspaceId = Type.String({ description: 'Identifier of the workspace.', examples: ['WS_DEMO'] });

export const InvitationPath = Type.Object({ ...WorkspacePath.properties, invitationId });

export const NewInvitation = Type.Object({ email: EmailAddress, role }, { title: 'NewInvitation' });

export const CreatedInvitation = Type.Object(
  {
    invitationId,
    email,
    role,
    status: Type.String({ enum: ['PENDING'], description: 'A new invitation waits.' }),
    expiresAt,
    url: Type.Union([Type.String(), Type.Null()], {
      description:
        'The link to hand over, shown in this response alone. Null: it went out by mail, or this is a replay; then invite anew.',
      examples: ['https://portal.example.com/invitation#…'],
    }),
  },
  { title: 'CreatedInvitation' },
);

export const InvitationFilters = Type.Object({
  status: Type.Optional(
    Type.String({ enum: [...invitationStatuses], description: 'Only invitations of this status.' }),
  ),
});

const token = Type.String({ description: 'What stands behind # in the link.', examples: ['5Kd3N…'] });

export const InvitationToken = Type.Object({ token }, { title: 'InvitationToken' });

export const InvitationView = Type.Object(
  {
    email,
    role,
    workspaceName: Type.String({ description: 'Name of the workspace.', examples: ['Demo Workspace'] }),
    institutionName: Type.String({ description: 'Name of its institution.', examples: ['Demo Institution'] }),
    inviterName,
    expiresAt,
    hasAccount: Type.Boolean({
      description: 'Whether the address has an account, which then signs in to accept.',
      examples: [false],
    }),
  },
  { title: 'InvitationView' },
);

export const Acceptance = Type.Object(
  {
    token,
    name: Type.Optional(PersonName),
    password: Type.Optional(NewPassword),
    locale: Type.Optional(AccountLocale),
    session: Type.Optional(
      Type.String({
        enum: ['cookie'],
        description: 'Keep the refresh token in an HttpOnly cookie instead of the body.',
      }),
    ),
  },
  {
    title: 'Acceptance',
    description:
      'With an access token the token of the link is enough; without one, name and password make an account.',
  },
);

export const AcceptedInvitation = Type.Object(
  {
    accountId: Type.String({
      description: 'Identifier of the account.',
      examples: ['ACC_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E'],
    }),
    workspaceId,
    role,
    ...Type.Partial(Tokens).properties,
  },
  {
    title: 'AcceptedInvitation',
    description: 'Tokens are there when an account was made, which is signed in with them.',
  },
);
