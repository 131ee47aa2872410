import type { Command } from './command.ts';
import { accountCommands } from './commands/admin/accounts.ts';
import { bootstrapCommand } from './commands/admin/bootstrap.ts';
import { channelTypeCommands } from './commands/admin/channel-types.ts';
import { importCommands } from './commands/admin/imports.ts';
import { institutionCommands } from './commands/admin/institutions.ts';
import { invitationCommands } from './commands/admin/invitations.ts';
import { mailCommands } from './commands/admin/mails.ts';
import { memberCommands } from './commands/admin/members.ts';
import { signingKeyCommands } from './commands/admin/signing-keys.ts';
import { transferCommands } from './commands/admin/transfers.ts';
import { workspaceCommands } from './commands/admin/workspaces.ts';
import { auditCheckpointCommand, auditExportCommand, auditVerifyCommand } from './commands/audit.ts';
import { callCommand } from './commands/call.ts';
import { completionCommand } from './commands/completion.ts';
import { eventCommands } from './commands/events.ts';
import { signedFileCommands } from './commands/files.ts';
import { keyLifeCommands } from './commands/key-life.ts';
import { keysCreateCommand, keysListCommand, keysRevokeCommand, keysRotateCommand } from './commands/keys.ts';
import { listenCommand } from './commands/listen.ts';
import { loginCommand } from './commands/login.ts';
import { logoutCommand } from './commands/logout.ts';
import { profilesCommand } from './commands/profiles.ts';
import { signCommand } from './commands/sign.ts';
import { tallyRebuildCommand, tallyVerifyCommand } from './commands/tally.ts';
import { signedTransferCommands } from './commands/transfers.ts';
import { verifyVectorsCommand } from './commands/verify-vectors.ts';
import { whoamiCommand } from './commands/whoami.ts';

/** Every command, in the order of the help text. */
export const commands: readonly Command[] = [
  signCommand,
  callCommand,
  whoamiCommand,
  loginCommand,
  logoutCommand,
  profilesCommand,
  ...signedTransferCommands,
  ...signedFileCommands,
  listenCommand,
  ...eventCommands,
  keysListCommand,
  keysCreateCommand,
  keysRotateCommand,
  keysRevokeCommand,
  ...keyLifeCommands,
  verifyVectorsCommand,
  completionCommand(() => commands),
  tallyVerifyCommand,
  tallyRebuildCommand,
  auditVerifyCommand,
  auditExportCommand,
  auditCheckpointCommand,
  bootstrapCommand,
  ...institutionCommands,
  ...workspaceCommands,
  ...accountCommands,
  ...memberCommands,
  ...invitationCommands,
  ...signingKeyCommands,
  ...mailCommands,
  ...transferCommands,
  ...channelTypeCommands,
  ...importCommands,
];
