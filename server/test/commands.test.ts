import { afterAll, describe, expect, it } from 'vitest';
import { openWorldOfRoutes } from './routes.ts';
import { type CommandCase, commandSuite, isOfPlatform } from './suites/command.ts';
import { inSharedWorlds } from './suites/shared-worlds.ts';
import { redelivery } from './support/deliveries.ts';
import { adminPortal } from './support/operators.ts';
import { ownCommands } from './support/own-account.ts';
import { type Call, startDevice, type World } from './world.ts';

/** What changes nothing, or nothing but what is the caller's alone, though its method could. */
const noCommands: Record<string, string> = {
  'POST /web/v1/files/query/list': 'reads; its filters travel in the body',
  'POST /web/v1/invitations/accept': 'performs a command, and then signs in who accepted',
  'POST /web/v1/invitations/lookup': 'reads; the secret of the link travels in the body',
  'POST /web/v1/notification-channel-types/query': 'reads; its filters travel in the body',
  'POST /web/v1/workspaces/:workspaceId/api-keys/:apiKeyId/simulate': 'reads; tells what would be',
  'POST /web/v1/workspaces/:workspaceId/notifications/read':
    'tells how far the caller has read, which concerns nobody else',
};
const signIn = /^POST \/web\/v1\/auth\/((device|oidc|password-reset)\/)?[a-z-]+$/;

const onDevice = async (world: World) => ({ body: await startDevice(world) });

/** How a command is called that is of no workspace, or of what is made otherwise, to be taken once. */
const prepare: Record<string, (world: World) => Promise<Partial<Call>>> = {
  ...ownCommands,
  confirmDeviceSignIn: onDevice,
  denyDeviceSignIn: onDevice,
  redeliver: redelivery,
};

/** What has to be done to something new before a command can succeed on it. */
const before: Record<string, string[]> = {
  enableApiKey: ['/disable'],
  enableChannel: ['/disable'],
  endPreviousSecret: ['/rotate'],
  restoreFile: ['/archive'],
};

type Operation = {
  operationId: string;
  requestBody?: { content: Record<string, { example: object; schema: { $ref: string } }> };
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties: object }> };
};

const { world, routes } = await openWorldOfRoutes();
afterAll(() => world.close());
const document: Document = (await world.app.inject('/openapi.json')).json();
const writing = routes.filter(({ method }) => !['GET', 'HEAD'].includes(method));
const commands = writing.filter(({ config }) => config.isCommand);

function caseOf({ method, url }: { method: string; url: string }): CommandCase {
  const operation = document.paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  const media = operation?.requestBody?.content['application/json'];
  const title = media?.schema.$ref.split('/').at(-1) ?? '';
  return {
    method: method as CommandCase['method'], // commands have no other
    url,
    example: media?.example,
    fields: Object.keys(document.components.schemas[title]?.properties ?? {}),
    before: before[operation?.operationId ?? ''] ?? [],
    prepare: prepare[operation?.operationId ?? ''],
  };
}

describe('every route whose method could change something', () => {
  it('is a command, or is named here with its reason, or belongs to the sign-in', () => {
    const others = writing
      .filter(({ config }) => !config.isCommand)
      .map(({ method, url }) => `${method} ${url}`)
      .filter((name) => !signIn.test(name));
    expect(others.sort()).toEqual(Object.keys(noCommands).sort());
    expect(commands.length).toBeGreaterThanOrEqual(7);
  });
});

/** Commands that are called otherwise than with a token and JSON, and have tests of all this beside them. */
const ofTheirOwn = ['DELETE /api/v1/files/:bizId', 'POST /api/v1/files', 'POST /web/v1/files'];

const cases = commands
  .filter(({ method, url }) => !ofTheirOwn.includes(`${method} ${url}`))
  .map((command) => caseOf(command));
inSharedWorlds(
  cases.filter((each) => !isOfPlatform(each)),
  commandSuite,
);
inSharedWorlds(cases.filter(isOfPlatform), commandSuite, { env: adminPortal });
