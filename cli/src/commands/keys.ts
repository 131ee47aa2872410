import { keyStatuses } from '@portico/sdk/portal';
import { defineCommand, profileOption } from '../command.ts';
import { readCount } from '../count.ts';
import { failedCheck, wrongUsage } from '../failure.ts';
import { showData, showJson, showRecord } from '../output/show.ts';
import { note } from '../output/terminal.ts';
import { withPortal } from '../portal-session.ts';
import { confirm, isInteractive } from '../prompt.ts';
import { handOver, roomForKey } from '../saved-key.ts';
import { json, readWorkspace, workspace } from './key-options.ts';

const save = {
  type: 'boolean',
  about: 'put the key into the profile instead of printing its secret',
} as const;

const modes: Readonly<Record<string, 1 | 2>> = { live: 1, test: 2 };

function readMode(given: string): 1 | 2 {
  const mode = Object.hasOwn(modes, given) ? modes[given] : undefined;
  if (mode === undefined) throw wrongUsage('--mode must be live or test');
  return mode;
}

export const keysListCommand = defineCommand({
  name: 'keys list',
  summary: 'list the API keys of a workspace',
  positionals: [],
  options: {
    workspace,
    status: {
      type: 'string',
      value: 'STATUS',
      choices: keyStatuses,
      about: 'only ACTIVE, DISABLED, REVOKED or EXPIRED keys',
    },
    mode: { type: 'string', value: 'live|test', about: 'only keys of this mode' },
    page: { type: 'string', value: 'N', about: 'page, counted from 0' },
    size: { type: 'string', value: 'N', about: 'keys on a page, default 20' },
    ...profileOption,
    json,
  },
  examples: [
    'portico keys list --workspace WS_DEMO',
    'portico keys list --workspace WS_DEMO --status ACTIVE --json',
  ],
  async run({ values: { status, mode, page, size, ...values } }) {
    const id = readWorkspace(values.workspace);
    const filters = {
      ...(status === undefined ? {} : { status: status.toUpperCase() }),
      ...(mode === undefined ? {} : { mode: String(readMode(mode)) }),
    };
    const paging = {
      ...(page === undefined ? {} : { page: readCount('page', page) }),
      ...(size === undefined ? {} : { size: readCount('size', size) }),
    };
    const answer = await withPortal((portal) => portal.listApiKeys(id, filters, paging));
    if (values.json) return showJson(answer);
    const content = answer.content.map(({ apiKeyId, name, mode, status, scopes, lastUsedAt, expiresAt }) => ({
      apiKeyId,
      name,
      mode,
      status,
      scopes,
      lastUsedAt,
      expiresAt,
    }));
    showData({ ...answer, content });
  },
});

export const keysCreateCommand = defineCommand({
  name: 'keys create',
  summary: 'create an API key; its secret is shown this once',
  positionals: [],
  options: {
    workspace,
    name: { type: 'string', value: 'NAME', about: 'display name, required' },
    scope: {
      type: 'string',
      multiple: true,
      value: 'SCOPE',
      about: 'what the key may do, as in transfers:read; with none it may do nothing',
    },
    mode: { type: 'string', value: 'live|test', about: 'default live' },
    ip: {
      type: 'string',
      multiple: true,
      value: 'CIDR',
      about: 'where it may be used from, default anywhere',
    },
    expires: { type: 'string', value: 'TIME', about: 'when it stops working, as in 2027-01-01T00:00:00Z' },
    save,
    ...profileOption,
    json,
  },
  examples: [
    "portico keys create --workspace WS_DEMO --name 'Settlement job' --scope transfers:read --scope files:read",
    'portico keys create --workspace WS_DEMO --name laptop --mode test --scope transfers:read --save',
  ],
  async run({ values: { name, scope: scopes = [], ip: ipWhitelist = [], expires, ...values } }) {
    const id = readWorkspace(values.workspace);
    if (name === undefined) throw wrongUsage('--name is missing');
    const mode = readMode(values.mode ?? 'live');
    const save = values.save ? roomForKey() : undefined;
    const body = { name, scopes, mode, ipWhitelist, expiresAt: expires ?? null };
    const key = await withPortal((portal) => portal.createApiKey(id, body));
    handOver(key, values.json, save);
    if (key.scopes.length === 0)
      note(
        'portico: the key has no scope, and every call with it is refused: give it some with portico keys edit --scope',
      );
  },
});

export const keysRotateCommand = defineCommand({
  name: 'keys rotate',
  summary: 'give an API key a new secret; it is shown this once',
  positionals: ['ID'],
  options: {
    workspace,
    grace: {
      type: 'string',
      value: 'SECONDS',
      about: 'how long the previous secret goes on working, default 86400',
    },
    save,
    ...profileOption,
    json,
  },
  examples: [
    'portico keys rotate ak_live_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E --workspace WS_DEMO --grace 3600',
    'portico keys rotate ak_live_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E --workspace WS_DEMO --grace 0 --save',
  ],
  async run({ positionals: [apiKeyId = ''], values: { grace, ...values } }) {
    const id = readWorkspace(values.workspace);
    const body = grace === undefined ? {} : { graceSeconds: readCount('grace', grace) };
    const save = values.save ? roomForKey(apiKeyId) : undefined;
    const key = await withPortal((portal) => portal.rotateApiKey(id, apiKeyId, body));
    handOver(key, values.json, save);
  },
});

export const keysRevokeCommand = defineCommand({
  name: 'keys revoke',
  summary: 'end an API key for ever',
  positionals: ['ID'],
  options: {
    workspace,
    yes: { type: 'boolean', about: 'do not ask; needed where there is no terminal' },
    ...profileOption,
    json,
  },
  examples: [
    'portico keys revoke ak_live_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E --workspace WS_DEMO',
    'portico keys revoke ak_live_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E --workspace WS_DEMO --yes',
  ],
  async run({ positionals: [apiKeyId = ''], values: { yes, ...values } }) {
    const id = readWorkspace(values.workspace);
    if (!yes && !isInteractive()) throw wrongUsage('there is no terminal to ask on: confirm with --yes');
    if (!yes && !(await confirm(`Revoke ${apiKeyId}? It will never work again.`))) {
      throw failedCheck('nothing was revoked');
    }
    const key = await withPortal((portal) => portal.revokeApiKey(id, apiKeyId));
    if (values.json) showJson(key);
    else showRecord({ apiKeyId: key.apiKeyId, name: key.name, status: key.status });
  },
});
