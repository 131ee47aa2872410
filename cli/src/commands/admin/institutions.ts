import { common, listCommand, newId, taskCommand } from './define.ts';

export const institutionCommands = [
  taskCommand('institution add', 'addInstitution', {
    summary: 'add an institution',
    options: { institution: newId('institution'), name: common.name },
    examples: [' --institution INST_ACME --name "Acme Bank"'],
  }),
  listCommand('institution list', 'institutions', {
    summary: 'list the institutions',
    examples: ['', ' --json'],
  }),
  taskCommand('institution rename', 'renameInstitution', {
    summary: 'give an institution another name',
    options: { institution: common.institution, name: common.name },
    examples: [' --institution INST_ACME --name "Acme Bank plc"'],
  }),
];
