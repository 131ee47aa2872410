import type { ApiKeyChange, ApiKeyRecord, PorticoPortal } from '@portico/sdk/portal';
import { type Command, defineCommand } from '../command.ts';
import { failedCheck, wrongUsage } from '../failure.ts';
import { showJson, showRecord, showTable } from '../output/show.ts';
import { print } from '../output/terminal.ts';
import { withPortal } from '../portal-session.ts';
import { ofOneKey, readWorkspace } from './key-options.ts';

const exampleId = 'ak_live_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E';
const example = (verb: string, more = '') => `portico keys ${verb} ${exampleId} --workspace WS_DEMO${more}`;

/** Versions in one cell each, as a table of two columns would break the list of names and values. */
function showKey({ secrets, ...key }: ApiKeyRecord): void {
  const used = secrets.map(
    ({ version, lastUsedAt }) => `version ${version}, last used ${lastUsedAt ?? 'never'}`,
  );
  showRecord({ ...key, secrets: used.join('; ') });
}

type Act = (portal: PorticoPortal, workspaceId: string, apiKeyId: string) => Promise<ApiKeyRecord>;

/** A command that names a key, and shows it as it then is. */
function keyCommand(verb: string, summary: string, act: Act, notes?: string): Command {
  return defineCommand({
    name: `keys ${verb}`,
    summary,
    positionals: ['ID'],
    options: ofOneKey,
    ...(notes === undefined ? {} : { notes }),
    examples: [example(verb), example(verb, ' --json')],
    async run({ positionals: [apiKeyId = ''], values: { workspace, json } }) {
      const id = readWorkspace(workspace);
      const key = await withPortal((portal) => act(portal, id, apiKeyId));
      if (json) showJson(key);
      else showKey(key);
    },
  });
}

const several = (about: string, value: string) => ({ type: 'string', multiple: true, value, about }) as const;

type Edits = { name?: string; scope?: string[]; ip?: string[]; expires?: string };

/** An empty text stands for none, as an option cannot be given without a value. */
function changeOf({ name, scope, ip, expires }: Edits): ApiKeyChange {
  const listed = (given: string[]) => given.filter((each) => each !== '');
  const change = {
    ...(name === undefined ? {} : { name }),
    ...(scope === undefined ? {} : { scopes: listed(scope) }),
    ...(ip === undefined ? {} : { ipWhitelist: listed(ip) }),
    ...(expires === undefined ? {} : { expiresAt: expires === 'never' ? null : expires }),
  };
  if (Object.keys(change).length === 0)
    throw wrongUsage('nothing to change: give --name, --scope, --ip or --expires');
  return change;
}

const editCommand = defineCommand({
  name: 'keys edit',
  summary: 'change name, scopes, addresses or end of an API key',
  positionals: ['ID'],
  options: {
    name: { type: 'string', value: 'NAME', about: 'its new display name' },
    scope: several('what it may do from now on, in the place of all it had', 'SCOPE'),
    ip: several('where it may be used from now on, in the place of all it had', 'CIDR'),
    expires: { type: 'string', value: 'TIME|never', about: 'when it stops working' },
    ...ofOneKey,
  },
  notes: `What is not given stays as it is. --scope '' leaves the key no scope, and every call with it is refused; --ip '' lets it in from
anywhere. A later end revives an expired key.`,
  examples: [
    example('edit', ' --scope transfers:read --scope files:read'),
    example('edit', " --ip '' --expires never"),
  ],
  async run({ positionals: [apiKeyId = ''], values: { workspace, json, profile, ...edits } }) {
    const id = readWorkspace(workspace);
    const change = changeOf(edits);
    const key = await withPortal((portal) => portal.changeApiKey(id, apiKeyId, change));
    if (json) showJson(key);
    else showKey(key);
  },
});

const simulateCommand = defineCommand({
  name: 'keys simulate',
  summary: 'show what would become of a request that an API key signs rightly',
  positionals: ['ID', 'METHOD', 'PATH'],
  options: {
    ip: { type: 'string', value: 'ADDRESS', about: 'where the request would come from, required' },
    at: { type: 'string', value: 'TIME', about: 'when it would come, now unless given' },
    ...ofOneKey,
  },
  notes: `Route, status of the key, address and scope are judged, each of them; signature, nonce and rate are not. Nothing is called. Exit
code 1 when the request would be refused.`,
  examples: [
    example('simulate', '').replace(' --workspace', ' GET /api/v1/transfers --ip 203.0.113.7 --workspace'),
  ],
  async run({ positionals: [apiKeyId = '', method = '', path = ''], values: { ip, at, workspace, json } }) {
    const id = readWorkspace(workspace);
    if (ip === undefined) throw wrongUsage('--ip is missing: the address that the request would come from');
    const request = { method: method.toUpperCase(), path, ip, ...(at === undefined ? {} : { at }) };
    const trace = await withPortal((portal) => portal.simulateApiKey(id, apiKeyId, request));
    if (json) showJson(trace);
    else showTable(trace.steps.map(({ step, passed, message }) => ({ step, passed, message })));
    if (!trace.allowed) throw failedCheck(`the request would be refused with ${trace.code}`);
    if (!json) print('the request would be let in');
  },
});

export const keyLifeCommands: readonly Command[] = [
  keyCommand('show', 'show an API key', (portal, workspace, key) => portal.getApiKey(workspace, key)),
  editCommand,
  keyCommand('disable', 'let an API key sign nothing until it is enabled again', (portal, workspace, key) =>
    portal.disableApiKey(workspace, key),
  ),
  keyCommand('enable', 'let a disabled API key sign again', (portal, workspace, key) =>
    portal.enableApiKey(workspace, key),
  ),
  keyCommand(
    'close-grace',
    'end the previous secret of a rotation before its time',
    (portal, workspace, key) => portal.endPreviousSecret(workspace, key),
    'Once nothing signs with it any more: portico keys show tells when each secret was last used.',
  ),
  simulateCommand,
];
