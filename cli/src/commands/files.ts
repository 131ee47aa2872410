import { basename } from 'node:path';
import { type FileCategory, type FileCategoryCode, fileCategories, fileStatuses } from '@portico/sdk';
import { type Command, defineCommand, profileOption } from '../command.ts';
import { failedCheck, wrongUsage } from '../failure.ts';
import { untilInterrupted } from '../interrupt.ts';
import { pageOptions, readChoice, readPage } from '../list-options.ts';
import { openApi } from '../open-api.ts';
import { showData, showJson, showRecord } from '../output/show.ts';
import { note, print, visible } from '../output/terminal.ts';
import { confirm, isInteractive } from '../prompt.ts';
import { keepDownload } from '../received-file.ts';

const ofKey = { ...profileOption, json: { type: 'boolean', about: 'print JSON' } } as const;
const exampleId = 'FILE_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E';
const categories = Object.values(fileCategories);
const statuses = Object.values(fileStatuses);

function codeIn<Names extends Readonly<Record<number, string>>>(names: Names, name: string): keyof Names {
  const [code] = Object.entries(names).find(([, each]) => each === name) ?? [];
  return Number(code) as keyof Names; // it was read from these very names
}

const codeOf = (category: FileCategory): FileCategoryCode => codeIn(fileCategories, category);

const category = (about: string) =>
  ({ type: 'string', value: 'CATEGORY', choices: categories, about: `${about}, as in INVOICE` }) as const;

const listCommand = defineCommand({
  name: 'files list',
  summary: 'list the files of the workspace and mode of the API key',
  positionals: [],
  options: {
    category: category('only those of this category'),
    status: {
      type: 'string',
      value: 'STATUS',
      choices: statuses,
      about: 'only those of this status, as in ACTIVE',
    },
    ...pageOptions,
    ...ofKey,
  },
  examples: ['portico files list', 'portico files list --category INVOICE --sort fileSize,desc --json'],
  async run({ values: { category, status, json, profile: _profile, ...paging } }) {
    const page = await openApi().files.list({
      ...(category === undefined
        ? {}
        : { fileCategory: codeOf(readChoice('category', category, categories)) }),
      ...(status === undefined
        ? {}
        : { fileStatus: codeIn(fileStatuses, readChoice('status', status, statuses)) }),
      ...readPage(paging),
    });
    if (json) return showJson(page);
    const content = page.content.map((file) => ({
      bizId: file.bizId,
      originalFilename: file.originalFilename,
      fileSize: file.fileSize,
      fileCategory: file.fileCategory,
      fileStatus: file.fileStatus,
      contentType: file.contentType,
      createdAt: file.createdAt,
    }));
    showData({ ...page, content });
  },
});

const getCommand = defineCommand({
  name: 'files get',
  summary: 'show what is known of a file',
  positionals: ['ID'],
  options: ofKey,
  examples: [`portico files get ${exampleId}`],
  async run({ positionals: [id = ''], values: { json } }) {
    const file = await openApi().files.get(id);
    if (json) showJson(file);
    else showRecord(file);
  },
});

const uploadCommand = defineCommand({
  name: 'files upload',
  summary: 'upload a file, of the mode of the API key',
  positionals: ['FILE'],
  options: {
    category: category('its category, required'),
    name: { type: 'string', value: 'NAME', about: 'name to keep it under, else its own' },
    remark: { type: 'string', value: 'TEXT', about: 'free text' },
    'idempotency-key': {
      type: 'string',
      value: 'KEY',
      about: 'name of this attempt: under the same one it is kept once, within a day',
    },
    ...ofKey,
  },
  notes:
    'Read twice: for its hash, which is signed, and to be sent. What fails in passing is tried again and kept once.',
  examples: ['portico files upload invoice.pdf --category INVOICE'],
  async run({ positionals: [path = ''], values: { category, name, remark, json, ...values } }) {
    if (category === undefined) throw wrongUsage(`--category is missing: one of ${categories.join(', ')}`);
    const fileCategory = codeOf(readChoice('category', category, categories));
    const file = {
      filename: name ?? basename(path),
      fileCategory,
      ...(remark === undefined ? {} : { remark }),
    };
    const options = { idempotencyKey: values['idempotency-key'] };
    const kept = await openApi().files.upload({ path }, file, options);
    if (json) showJson(kept);
    else showRecord(kept);
  },
});

const downloadCommand = defineCommand({
  name: 'files download',
  summary: 'download a file, and hold it against its hash',
  positionals: ['ID'],
  options: {
    output: {
      type: 'string',
      value: 'FILE',
      about: 'where to put it, else under its own name here; - is standard output',
    },
    force: { type: 'boolean', about: 'also over a file that is there' },
    ...ofKey,
  },
  notes: `It has another name until all of it is there and is what the server keeps, so that half a file is never taken for one. Its own name
leads nowhere else: of a path only the last part is used, and signs that steer a terminal are left out.`,
  examples: [
    `portico files download ${exampleId}`,
    `portico files download ${exampleId} --output invoice.pdf --force`,
  ],
  async run({ positionals: [id = ''], values: { output, force, json } }) {
    const client = openApi();
    const signal = untilInterrupted();
    const kept = await keepDownload(() => client.files.download(id, { signal }), {
      output,
      force: force === true,
      fallback: id,
    });
    if (kept === undefined) return;
    if (json) showJson(kept);
    else print(visible(`${kept.path}: ${kept.size} bytes`));
  },
});

const deleteCommand = defineCommand({
  name: 'files delete',
  summary: 'delete a file and its bytes',
  positionals: ['ID'],
  options: {
    yes: { type: 'boolean', about: 'do not ask; needed where there is no terminal' },
    ...profileOption,
  },
  examples: [`portico files delete ${exampleId} --yes`],
  async run({ positionals: [id = ''], values: { yes } }) {
    const client = openApi();
    if (!yes && !isInteractive()) throw wrongUsage('there is no terminal to ask on: confirm with --yes');
    if (!yes) {
      const { originalFilename } = await client.files.get(id);
      if (!(await confirm(visible(`Delete ${originalFilename} (${id})? It cannot be brought back.`))))
        throw failedCheck('nothing was deleted');
    }
    await client.files.delete(id);
    note(visible(`${id} is deleted`));
  },
});

export const signedFileCommands: readonly Command[] = [
  listCommand,
  getCommand,
  uploadCommand,
  downloadCommand,
  deleteCommand,
];
