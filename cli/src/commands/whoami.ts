import { defineCommand, profileOption } from '../command.ts';
import { wrongUsage } from '../failure.ts';
import { openApi } from '../open-api.ts';
import { showJson, showRecord, showTable } from '../output/show.ts';
import { print } from '../output/terminal.ts';
import { withPortal } from '../portal-session.ts';
import { findAccess, findApiKey } from '../settings.ts';

async function showKey(isJson: boolean | undefined): Promise<void> {
  const answer = await openApi().whoami();
  if (isJson) showJson(answer);
  else showRecord(answer);
}

async function showAccount(isJson: boolean | undefined): Promise<void> {
  const me = await withPortal((portal) => portal.me());
  if (isJson) return showJson(me);
  showRecord(me.account);
  print('');
  showTable(
    me.workspaces.map(({ bizId, role, institutionBizId, name }) => ({
      workspace: bizId,
      role,
      institution: institutionBizId,
      name,
    })),
  );
}

export const whoamiCommand = defineCommand({
  name: 'whoami',
  summary: 'show the API key that signs, or else the account that is signed in',
  positionals: [],
  options: {
    account: { type: 'boolean', about: 'the account, also when there is a key' },
    ...profileOption,
    json: { type: 'boolean', about: 'print JSON' },
  },
  examples: ['portico whoami', 'portico whoami --account'],
  async run({ values: { account, json } }) {
    if (!account && findApiKey() !== undefined) return showKey(json);
    if (!account && findAccess() === undefined) {
      throw wrongUsage(
        'neither an API key nor a sign-in: set PORTICO_KEY_ID and PORTICO_SECRET, or run portico login',
      );
    }
    await showAccount(json);
  },
});
