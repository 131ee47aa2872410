import { listCommand, taskCommand } from './define.ts';

export const signingKeyCommands = [
  listCommand('signing-key list', 'signingKeys', {
    summary: 'list the keys that sign access tokens and checkpoints',
    examples: ['', ' --json'],
  }),
  taskCommand('signing-key rotate', 'rotateSigningKey', {
    summary: 'make a new key that signs access tokens from now on',
    notes: `Needs PORTICO_MASTER_KEY, as the server has it; with the embedded database that of PORTICO_HOME. Tokens that were signed before hold
until they expire. Running instances sign with the new key within a minute, and verify what it signed at once.`,
    examples: ['', ' --json'],
  }),
];
