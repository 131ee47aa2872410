import { common, listCommand, taskCommand } from './define.ts';

const { workspace } = common;

export const invitationCommands = [
  listCommand('invitation list', 'invitations', {
    summary: 'list the invitations to a workspace, without their links',
    options: { workspace },
    examples: [' --workspace WS_ACME'],
  }),
  taskCommand('invitation revoke', 'revokeInvitation', {
    summary: 'end the link of an invitation that waits',
    options: { workspace, invitation: { type: 'string', value: 'ID', about: 'the invitation' } },
    examples: [' --workspace WS_ACME --invitation INV_01KG95W5MZ4J7Q2Z0V9F3D8X6B'],
  }),
];
