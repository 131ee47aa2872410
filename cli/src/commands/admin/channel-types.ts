import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { defineCommand } from '../../command.ts';
import { settingsNote, withTask } from '../../database.ts';
import { wrongUsage } from '../../failure.ts';
import { json, showing, taskCommand } from './define.ts';

const positionals = { type: 'CODE', schema: 'SCHEMA.json' };

async function readSchema(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw wrongUsage(`the file ${file} cannot be read`);
  }
}

const configure = defineCommand({
  name: 'admin channel-type configure',
  summary: 'say what channels of a type are configured with',
  positionals: Object.values(positionals),
  options: { json },
  notes: `${settingsNote}

SCHEMA.json is a JSON Schema of an object (- is standard input), by 2020-12 unless it says draft 7, that refers to nothing outside of
itself. Strings that it calls writeOnly are sealed and never shown again. Channels that are there stay as they are.`,
  examples: ['portico admin channel-type configure SLACK slack.json'],
  async run({ positionals: [type, file = ''], values }) {
    const given = { type, schema: await readSchema(file) };
    await withTask('configureChannelType', given, showing(values.json), positionals);
  },
});

export const channelTypeCommands = [
  taskCommand('channel-type enable', 'enableChannelType', {
    summary: 'let workspaces have channels of a type',
    positionals: { type: 'CODE' },
    notes: 'Of types that Portico delivers. EMAIL needs PORTICO_SMTP_URL, SMS PORTICO_SMS_URL.',
    examples: [' SLACK'],
  }),
  taskCommand('channel-type disable', 'disableChannelType', {
    summary: 'let workspaces have no new channels of a type',
    positionals: { type: 'CODE' },
    notes: 'Channels that are there go on.',
    examples: [' SLACK'],
  }),
  configure,
];
