import type { TallyReport } from '@portico/server/operate';
import { defineCommand } from '../command.ts';
import { settingsNote, withTallies } from '../database.ts';
import { failedCheck, wrongUsage } from '../failure.ts';
import { suggestion } from '../nearest.ts';
import { showJson, showTable } from '../output/show.ts';
import { print } from '../output/terminal.ts';

const options = {
  name: { type: 'string', value: 'NAME', about: 'only this tally, as in files; default all of them' },
  json: { type: 'boolean', about: 'print JSON' },
} as const;

function choose(names: readonly string[], wanted: string | undefined): readonly string[] {
  if (wanted === undefined) return names;
  if (names.includes(wanted)) return [wanted];
  const near = suggestion(wanted, names) || `: one of ${names.join(', ')}`;
  throw wrongUsage(`there is no tally ${wanted}${near}`);
}

function showReport(name: string, { rows, counts, wrong, shown }: TallyReport): void {
  print(`${name}: ${rows} rows, ${counts} counts, ${wrong === 0 ? 'all exact' : `${wrong} wrong`}`);
  showTable(shown.map((count) => ({ ...count, dims: count.dims.map((value) => value ?? 'any') })));
  if (wrong > shown.length) print(`and ${wrong - shown.length} more`);
}

export const tallyVerifyCommand = defineCommand({
  name: 'tally verify',
  summary: 'compare the counts that the server keeps with the rows there are',
  positionals: [],
  options,
  notes: `${settingsNote}

Exit code 1 when a count is wrong. Each is shown with its scope, its dimensions (any: not filtered by) and its bucket, the
first 20 of a tally; what waits to be folded is in neither number. Writers go on meanwhile.`,
  examples: ['portico tally verify', 'portico tally verify --name files --json'],
  async run({ values: { name: wanted, json } }) {
    const reports: (TallyReport & { name: string })[] = [];
    await withTallies(async (tallies) => {
      for (const name of choose(tallies.names, wanted)) {
        const report = await tallies.verify(name);
        reports.push({ name, ...report });
        if (!json) showReport(name, report);
      }
    });
    if (json) showJson(reports);
    const wrong = reports.filter((report) => report.wrong > 0).map(({ name }) => name);
    if (wrong.length > 0)
      throw failedCheck(`wrong counts in ${wrong.join(', ')}: portico tally rebuild counts anew`);
  },
});

export const tallyRebuildCommand = defineCommand({
  name: 'tally rebuild',
  summary: 'count anew what the server keeps counts of',
  positionals: [],
  options,
  notes: `${settingsNote}

Writers go on meanwhile, and readers see the old counts until the new ones are there, all at once.`,
  examples: ['portico tally rebuild', 'portico tally rebuild --name files'],
  async run({ values: { name: wanted, json } }) {
    const rebuilt: { name: string; rows: number; seconds: number }[] = [];
    await withTallies(async (tallies) => {
      for (const name of choose(tallies.names, wanted)) {
        const begun = performance.now();
        const rows = await tallies.rebuild(name);
        const seconds = Math.round(performance.now() - begun) / 1000;
        rebuilt.push({ name, rows, seconds });
        if (!json) print(`${name}: ${rows} rows counted anew in ${seconds.toFixed(1)} s`);
      }
    });
    if (json) showJson(rebuilt);
  },
});
