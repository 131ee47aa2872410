import { defineCommand } from '../command.ts';
import { showJson, showTable } from '../output/show.ts';
import { readProfiles } from '../profile.ts';
import { urlOf } from '../settings.ts';

export const profilesCommand = defineCommand({
  name: 'profiles',
  summary: 'list the profiles, without their secrets',
  positionals: [],
  options: { json: { type: 'boolean', about: 'print JSON' } },
  examples: ['portico profiles', 'portico profiles --json'],
  async run({ values: { json } }) {
    const rows = readProfiles().map(([profile, kept]) => ({
      profile,
      url: urlOf(kept, profile),
      isSignedIn: kept.tokens !== undefined,
      apiKeyId: kept.apiKeyId ?? null,
    }));
    if (json) return showJson(rows);
    showTable(rows.map(({ isSignedIn, ...row }) => ({ ...row, 'signed in': isSignedIn ? 'yes' : 'no' })));
  },
});
