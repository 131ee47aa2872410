import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { ImportName, ImportReport } from '@portico/server/administer';
import { type Command, defineCommand } from '../../command.ts';
import { settingsNote, withImport } from '../../database.ts';
import { failedCheck } from '../../failure.ts';
import { createProgress } from '../../output/progress.ts';
import { showJson, showRecord } from '../../output/show.ts';
import { common } from './define.ts';

const numbers = new Intl.NumberFormat('en');

/** Bytes of a file, or of standard input, and how many were taken so far. */
async function openSource(file: string) {
  const isInput = file === '-';
  const size = isInput ? undefined : (await stat(file)).size;
  const stream = isInput ? process.stdin : createReadStream(file, { highWaterMark: 256 * 1024 });
  let taken = 0;
  return {
    async *bytes(): AsyncGenerator<Uint8Array> {
      for await (const chunk of stream) {
        yield chunk;
        taken += chunk.length;
      }
    },
    share: () => (size ? taken / size : undefined),
  };
}

async function bringIn(name: ImportName, workspace: string | undefined, file: string): Promise<ImportReport> {
  const source = await openSource(file);
  const progress = createProgress();
  const begun = performance.now();
  let report: ImportReport | undefined;
  await withImport(name, { workspace }, async ({ run }) => {
    report = await run(source.bytes(), {
      refused: (line, reason) => progress.line(`line ${line}: ${reason}`),
      progress: ({ lines }) => {
        const rate = Math.round((lines / (performance.now() - begun)) * 1000);
        progress.show(source.share(), `${numbers.format(lines)} lines, ${numbers.format(rate)} a second`);
      },
    });
  }).finally(progress.end);
  if (report === undefined) throw new Error('an import ends with its report');
  return report;
}

function importCommand(name: ImportName, record: string): Command {
  return defineCommand({
    name: `admin import ${name}`,
    summary: `bring ${name} of another system into a workspace`,
    positionals: ['FILE'],
    options: {
      workspace: { ...common.workspace, about: 'the workspace they belong to' },
      json: { type: 'boolean', about: 'print JSON' },
    },
    notes: `${settingsNote}

FILE has a record of the API a line, in JSON (- is standard input), with an optional mode (LIVE, unless it is TEST). ${record} A record that
is there by its id is changed, else added; the same file again changes nothing. A line that is refused is named on
standard error and stops no other; exit code 1 when there was one.`,
    examples: [
      `portico admin import ${name} --workspace WS_ACME ${name}.jsonl`,
      `portico admin import ${name} --workspace WS_ACME - < ${name}.jsonl`,
    ],
    async run({ positionals: [file = ''], values: { workspace, json } }) {
      const report = await bringIn(name, workspace, file);
      if (json) showJson(report);
      else showRecord(report);
      if (report.refused > 0)
        throw failedCheck(
          `${numbers.format(report.refused)} of ${numbers.format(report.lines)} lines were refused`,
        );
    },
  });
}

export const importCommands = [
  importCommand('transfers', 'Where updatedAt is left out, it is the time of the import.'),
  importCommand('files', 'Their bytes stay where they are and are not served from here.'),
];
