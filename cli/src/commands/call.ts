import { bodyOption, readBody } from '../body.ts';
import { defineCommand, profileOption } from '../command.ts';
import { wrongUsage } from '../failure.ts';
import { recordedApi } from '../open-api.ts';
import { showData } from '../output/show.ts';
import { print } from '../output/terminal.ts';
import { parseTarget, requestPath } from '../target.ts';

async function readJsonBody(option: string | undefined): Promise<unknown> {
  const bytes = await readBody(option);
  if (bytes === undefined) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw wrongUsage('the body is not JSON; portico sign --curl sends any bytes');
  }
}

function checkMethod(method: string, body: string | undefined): void {
  if (method === 'HEAD') throw wrongUsage('HEAD has no answer to show: use portico sign HEAD PATH --curl');
  if (method === 'GET' && body !== undefined) throw wrongUsage('GET carries no body');
}

export const callCommand = defineCommand({
  name: 'call',
  summary: 'make a signed call and show its answer',
  positionals: ['METHOD', 'PATH'],
  options: {
    body: bodyOption,
    ...profileOption,
    json: { type: 'boolean', about: 'print the answer as the server sent it' },
  },
  notes: `Pages are shown as a table, fitted to a terminal and in full anywhere else; other answers as names and values.
Reads that fail in passing are tried again.`,
  examples: [
    "portico call GET '/api/v1/transfers?size=5&status=COMPLETED'",
    "portico call GET '/api/v1/files?size=100' --json | jq -r '.data.content[].originalFilename'",
  ],
  async run({ positionals: [method = '', path = ''], values }) {
    const target = parseTarget(method, path);
    checkMethod(target.method, values.body);
    const body = await readJsonBody(values.body);
    const { client, lastText } = recordedApi();
    const { data } = await client.call(target.method, requestPath(target), body);
    if (values.json) print(lastText());
    else showData(data);
  },
});
