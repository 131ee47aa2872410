import { common, listCommand, taskCommand } from './define.ts';

const { account, name } = common;
const issuer = { type: 'string', value: 'URL', about: 'the issuer, as its tokens name it' } as const;
const subject = { type: 'string', value: 'TEXT', about: 'what the issuer calls the person' } as const;
const locale = { type: 'string', value: 'LOCALE', about: 'its language, en or zh-CN' } as const;
const linkNote = `url leads to PORTICO_PUBLIC_URL, is shown this once and works once, for a day; a newer one ends it.`;

const entering = [
  taskCommand('account add', 'addAccount', {
    summary: 'add an account without a password, and print the link that sets one',
    options: {
      email: { type: 'string', value: 'EMAIL', about: 'its e-mail address, which it signs in with' },
      name,
      locale: { ...locale, about: `${locale.about}; default en` },
    },
    notes: `${linkNote} It is a member of nothing yet: portico admin member add.`,
    examples: [' --email colleague@acme.example --name "Ada Lovelace"'],
  }),
  listCommand('account list', 'accounts', { summary: 'list the accounts', examples: ['', ' --json'] }),
  taskCommand('account show', 'showAccount', {
    summary: 'show an account with its workspaces, identities and open sign-ins',
    options: { account },
    examples: [' --account owner@acme.example'],
  }),
];

const life = [
  taskCommand('account change', 'changeAccount', {
    summary: 'give an account another e-mail address, name or language',
    options: {
      account,
      email: { type: 'string', value: 'EMAIL', about: 'its new e-mail address, which it then signs in with' },
      name,
      locale,
    },
    notes:
      'What is left out stays as it is. With the address, a link that sets a password ends: make another.',
    examples: [' --account colleague@acme.example --email ada@acme.example'],
  }),
  taskCommand('account disable', 'disableAccount', {
    summary: 'end all access of an account, until it is enabled again',
    options: {
      account,
      force: { type: 'boolean', about: 'also the last active owner of a workspace, which then has none' },
    },
    notes: `Its sign-ins end, and with them every access token, at once and on all instances; so do the link that sets its password and the
invitations that it has sent. API keys are the workspace's and go on: portico keys revoke.`,
    examples: [' --account colleague@acme.example'],
  }),
  taskCommand('account sign-out', 'signOutAccount', {
    summary: 'end every sign-in of an account, which may sign in again',
    options: { account },
    notes: `Access tokens of Portico end with them, at once and on all instances. Tokens of an outside issuer are the issuer's to end; account
disable refuses them too.`,
    examples: [' --account colleague@acme.example'],
  }),
  taskCommand('account enable', 'enableAccount', {
    summary: 'let a disabled account sign in again',
    options: { account },
    examples: [' --account colleague@acme.example'],
  }),
];

const passwords = [
  taskCommand('account reset-password', 'resetPassword', {
    summary: 'print a link that sets a new password, or mail it',
    options: {
      account,
      mail: { type: 'boolean', about: 'send it to the account instead, for an hour; needs PORTICO_SMTP_URL' },
    },
    notes: `${linkNote} Until it is used the old password holds; then all sign-ins of the account end.
Mails are sent by the server.`,
    examples: [' --account colleague@acme.example', ' --account colleague@acme.example --mail'],
  }),
  taskCommand('account remove-second-factor', 'removeSecondFactor', {
    summary: 'let an account in without the codes of a device that was lost',
    options: { account },
    notes: `Make sure that it is the person who asks: the password alone lets them in from now on, until they add another. Recovery codes end
too; sign-ins go on. Where PORTICO_SMTP_URL is set, the account is told by mail.`,
    examples: [' --account colleague@acme.example'],
  }),
  taskCommand('account remove-password', 'removePassword', {
    summary: 'leave an account only the issuers that it is bound to',
    options: { account },
    notes: 'Its sign-ins end. An account that is bound to none keeps its password.',
    examples: [' --account colleague@acme.example'],
  }),
];

const identities = [
  taskCommand('account bind', 'bindAccount', {
    summary: 'let an account in by what an outside issuer calls the person',
    options: { account, issuer, subject },
    notes:
      'The issuer is one of PORTICO_JWT_ISSUERS, or that of OpenID Connect. Nobody is ever matched by e-mail address.',
    examples: [' --account owner@acme.example --issuer https://id.acme.example --subject 248289761001'],
  }),
  taskCommand('account unbind', 'unbindAccount', {
    summary: 'take such a name away again',
    options: { account, issuer, subject },
    notes: 'The sign-ins of the account end, as any of them may have come from there.',
    examples: [' --account owner@acme.example --issuer https://id.acme.example --subject 248289761001'],
  }),
];

const operators = [
  taskCommand('account grant-operator', 'grantOperator', {
    summary: 'let an account move transfers of all workspaces, on an ADMIN portal',
    positionals: { account: 'ID|EMAIL' },
    notes:
      'It sees no more than before: what it may look at follows from the workspaces that it is a member of.',
    examples: [' operator@acme.example'],
  }),
  taskCommand('account revoke-operator', 'revokeOperator', {
    summary: 'take that away again, at once',
    positionals: { account: 'ID|EMAIL' },
    examples: [' operator@acme.example'],
  }),
];

export const accountCommands = [...entering, ...life, ...passwords, ...identities, ...operators];
