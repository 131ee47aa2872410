import { readFileSync } from 'node:fs';
import { defineCommand } from '../command.ts';
import { settingsNote, withAuditLog } from '../database.ts';
import { failedCheck, wrongUsage } from '../failure.ts';
import { showJson } from '../output/show.ts';
import { print, printAll } from '../output/terminal.ts';

const json = { type: 'boolean', about: 'print JSON' } as const;

function readCheckpointFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw wrongUsage(`the checkpoint file ${path} cannot be read`);
  }
}

export const auditVerifyCommand = defineCommand({
  name: 'audit verify',
  summary: 'hold every record of the audit log against the one before it',
  positionals: [],
  options: {
    checkpoint: { type: 'string', value: 'FILE', about: 'also hold the log against this checkpoint' },
    json,
  },
  notes: `${settingsNote}

Finds records that were edited, removed, inserted or moved; with a checkpoint that was kept elsewhere also a tail that was cut
off or written anew. Exit code 1 and the sequence of the first such record when there is one. Writers go on meanwhile.`,
  examples: ['portico audit verify', 'portico audit verify --checkpoint checkpoint.jws --json'],
  async run({ values: { checkpoint, json: asJson } }) {
    const kept = checkpoint === undefined ? undefined : readCheckpointFile(checkpoint);
    await withAuditLog(async (log) => {
      const report = await log.verify(kept);
      const { records, last, forgotten, checkpoints, wrong } = report;
      if (asJson) showJson(report);
      if (wrong !== null) throw failedCheck(`record ${wrong.sequence} of the audit log: ${wrong.problem}`);
      if (asJson) return;
      print(`${records} records up to sequence ${last}, ${checkpoints} checkpoints: the chain is whole`);
      if (forgotten > 0) print(`records up to sequence ${forgotten} were taken away by the retention`);
      if (kept !== undefined) print('the given checkpoint agrees');
    });
  },
});

export const auditExportCommand = defineCommand({
  name: 'audit export',
  summary: 'print the records of the audit log, of all workspaces and of none',
  positionals: [],
  options: {
    after: { type: 'string', value: 'SEQUENCE', about: 'only records after this one' },
  },
  notes: `${settingsNote}

One record a line, in JSON, in the order of their sequence. Whoever keeps the last sequence gets each record once.`,
  examples: ['portico audit export > audit.jsonl', 'portico audit export --after 120000'],
  async run({ values: { after = '0' } }) {
    if (!/^\d{1,15}$/.test(after)) throw wrongUsage('--after needs the sequence of a record, a whole number');
    await withAuditLog(async (log) => {
      for await (const records of log.records(Number(after)))
        await printAll(records.map((record) => JSON.stringify(record)));
    });
  },
});

export const auditCheckpointCommand = defineCommand({
  name: 'audit checkpoint',
  summary: 'print the last checkpoint of the audit log, to be kept elsewhere',
  positionals: [],
  options: { json },
  notes: `${settingsNote}

A compact JWS of sequence, hash and time, signed with the keys of the server's own tokens. Keep it where nobody who can write to
the database can: portico audit verify --checkpoint FILE then finds whatever was cut off or written anew since.`,
  examples: ['portico audit checkpoint > checkpoint.jws', 'portico audit checkpoint --json'],
  async run({ values: { json: asJson } }) {
    await withAuditLog(async (log) => {
      const { jws, checkpoint } = await log.lastCheckpoint();
      if (asJson) showJson({ ...checkpoint, jws });
      else print(jws);
    });
  },
});
