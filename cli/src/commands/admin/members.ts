import { common, listCommand, taskCommand } from './define.ts';

const { workspace, account, role } = common;
const lastOwner = 'The last active owner of a workspace stays one: make someone else an owner first.';

export const memberCommands = [
  taskCommand('member add', 'addMember', {
    summary: 'make an account a member of a workspace and of its institution',
    options: { workspace, account, role },
    examples: [' --workspace WS_ACME --account colleague@acme.example --role MEMBER'],
  }),
  taskCommand('member invite', 'inviteMember', {
    summary: 'invite someone to a workspace, and print the link',
    options: { workspace, email: { type: 'string', value: 'EMAIL', about: 'who is invited' }, role },
    notes: `url is shown this once and works once, for seven days, at PORTICO_PUBLIC_URL; an earlier one for the same address ends. It is for
you to hand over: no mail is sent.`,
    examples: [' --workspace WS_ACME --email owner@acme.example --role OWNER'],
  }),
  listCommand('member list', 'members', {
    summary: 'list the members of a workspace',
    options: { workspace },
    examples: [' --workspace WS_ACME'],
  }),
  taskCommand('member set-role', 'setMemberRole', {
    summary: 'give a member another role',
    options: { workspace, account, role },
    notes: lastOwner,
    examples: [' --workspace WS_ACME --account colleague@acme.example --role OWNER'],
  }),
  taskCommand('member remove', 'removeMember', {
    summary: 'take a member out of a workspace',
    options: { workspace, account },
    notes: `${lastOwner} With the last of its workspaces the account leaves the institution.`,
    examples: [' --workspace WS_ACME --account colleague@acme.example'],
  }),
];
