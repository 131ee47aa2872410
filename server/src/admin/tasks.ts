import { Type } from 'typebox';
import { reader } from '../contract/validate.ts';
import type { Queryable } from '../db/database.ts';
import { changeAccount, removeSecondFactor } from './account-changes.ts';
import { disableAccount, enableAccount, signOutAccount } from './account-life.ts';
import { listAccounts, showAccount } from './accounts.ts';
import { bootstrap } from './bootstrap.ts';
import { configureChannelType, disableChannelType, enableChannelType } from './channel-types.ts';
import { Named } from './fields.ts';
import { bindAccount, unbindAccount } from './identities.ts';
import { addInstitution, listInstitutions, renameInstitution } from './institutions.ts';
import { listInvitations, revokeInvitation } from './invitations.ts';
import { discardMails } from './mails.ts';
import { addMember, inviteMember, listMembers, removeMember, setMemberRole } from './members.ts';
import type { Task } from './operator.ts';
import { grantOperator, revokeOperator } from './operators.ts';
import { addAccount, removePassword, resetPassword } from './passwords.ts';
import { listSigningKeys, rotateSigningKey } from './signing-keys.ts';
import type { Tools } from './tools.ts';
import { setTransferStatus } from './transfers.ts';
import { addWorkspace, listWorkspaces, renameWorkspace } from './workspaces.ts';

const readAccount = reader(Type.Object({ account: Named }));
const readWorkspace = reader(Type.Object({ workspace: Named }));
const readInstitution = reader(Type.Object({ institution: Type.Optional(Named) }));

/** All that an operator can do, by name. */
export const tasks = {
  bootstrap,
  addInstitution: () => addInstitution,
  renameInstitution: () => renameInstitution,
  addWorkspace: () => addWorkspace,
  renameWorkspace: () => renameWorkspace,
  addAccount,
  showAccount: () => (given: object) => {
    const { account } = readAccount(given);
    return ({ db }) => showAccount(db, account);
  },
  changeAccount: () => changeAccount,
  disableAccount: () => disableAccount,
  enableAccount: () => enableAccount,
  signOutAccount: () => signOutAccount,
  resetPassword,
  removePassword: () => removePassword,
  removeSecondFactor,
  bindAccount: () => bindAccount,
  unbindAccount: () => unbindAccount,
  addMember: () => addMember,
  inviteMember,
  setMemberRole: () => setMemberRole,
  removeMember: () => removeMember,
  revokeInvitation: () => revokeInvitation,
  rotateSigningKey,
  discardMails: () => discardMails,
  grantOperator: () => grantOperator,
  revokeOperator: () => revokeOperator,
  setTransferStatus: () => setTransferStatus,
  enableChannelType: () => enableChannelType,
  disableChannelType: () => disableChannelType,
  configureChannelType: () => configureChannelType,
} satisfies Record<string, (tools: Tools) => Task<object>>;

export type TaskName = keyof typeof tasks;

type List = (given: object) => (db: Queryable) => AsyncGenerator<object[]>;

/** All that can be listed, however long it is. */
export const lists = {
  institutions: () => listInstitutions,
  workspaces: (given) => {
    const { institution } = readInstitution(given);
    return (db) => listWorkspaces(db, institution);
  },
  accounts: () => listAccounts,
  members: (given) => {
    const { workspace } = readWorkspace(given);
    return (db) => listMembers(db, workspace);
  },
  invitations: (given) => {
    const { workspace } = readWorkspace(given);
    return (db) => listInvitations(db, workspace);
  },
  signingKeys: () => listSigningKeys,
} satisfies Record<string, List>;

export type ListName = keyof typeof lists;
