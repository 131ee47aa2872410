import { common, listCommand, newId, taskCommand } from './define.ts';

export const workspaceCommands = [
  taskCommand('workspace add', 'addWorkspace', {
    summary: 'add a workspace to an institution',
    options: { workspace: newId('workspace'), institution: common.institution, name: common.name },
    notes: 'It has no members yet: portico admin member invite, or member add.',
    examples: [' --workspace WS_ACME --institution INST_ACME --name "Acme Workspace"'],
  }),
  listCommand('workspace list', 'workspaces', {
    summary: 'list the workspaces, of one institution or of all',
    options: { institution: { ...common.institution, about: 'only those of this institution' } },
    examples: ['', ' --institution INST_ACME --json'],
  }),
  taskCommand('workspace rename', 'renameWorkspace', {
    summary: 'give a workspace another name',
    options: { workspace: common.workspace, name: common.name },
    examples: [' --workspace WS_ACME --name "Acme Settlement"'],
  }),
];
