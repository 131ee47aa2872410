import { taskCommand } from './define.ts';

export const mailCommands = [
  taskCommand('mail discard', 'discardMails', {
    summary: 'throw away the mails that wait to be sent',
    notes:
      'All of them: they are sealed, so that none can be told from another. What they tell of stays as it is.',
    examples: [''],
  }),
];
