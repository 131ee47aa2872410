import { taskCommand } from './define.ts';

export const transferCommands = [
  taskCommand('transfers set-status', 'setTransferStatus', {
    summary: 'say what became of a transfer of any workspace',
    positionals: { transfer: 'ID', status: 'STATUS' },
    options: { reason: { type: 'string', value: 'TEXT', about: 'why it FAILED, for the log' } },
    notes: 'From PENDING to PROCESSING, and from PROCESSING to COMPLETED or FAILED. All else is refused.',
    examples: [
      ' TRF_01KG95W5MZ4J7Q2Z0V9F3D8X6B PROCESSING',
      ' TRF_01KG95W5MZ4J7Q2Z0V9F3D8X6B FAILED --reason "the account is closed"',
    ],
  }),
];
