import { transferStatuses } from '@portico/sdk';
import { type Command, defineCommand, profileOption } from '../command.ts';
import { wrongUsage } from '../failure.ts';
import { untilInterrupted } from '../interrupt.ts';
import { pageOptions, readChoice, readPage } from '../list-options.ts';
import { openApi } from '../open-api.ts';
import { showData, showJson, showRecord } from '../output/show.ts';
import { note, print, visible } from '../output/terminal.ts';

const ofKey = { ...profileOption, json: { type: 'boolean', about: 'print JSON' } } as const;
const time = (about: string) => ({ type: 'string', value: 'TIME', about }) as const;
const exampleId = 'TRF_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E';

const show = (record: object, json: boolean | undefined) =>
  json ? showJson(record) : showRecord({ ...record });

const listCommand = defineCommand({
  name: 'transfers list',
  summary: 'list the transfers of the workspace and mode of the API key',
  positionals: [],
  options: {
    status: {
      type: 'string',
      value: 'STATUS',
      choices: transferStatuses,
      about: 'only those of this status',
    },
    currency: { type: 'string', value: 'CODE', about: 'only those of this currency, as in USD' },
    reference: { type: 'string', value: 'TEXT', about: 'only those with exactly this reference' },
    'created-from': time('only those created at this time or later, as in 2026-01-31T00:00:00Z'),
    'created-to': time('only those created before this time'),
    'updated-from': time('only those that changed at this time or later'),
    'updated-to': time('only those that changed before this time'),
    ...pageOptions,
    ...ofKey,
  },
  examples: [
    'portico transfers list --status PENDING --sort amount,desc',
    'portico transfers list --created-from 2026-01-01T00:00:00Z --size 100 --json',
  ],
  async run({ values: { status, currency, reference, json, profile: _profile, ...values } }) {
    const filters = {
      status: status === undefined ? undefined : readChoice('status', status, transferStatuses),
      currency,
      reference,
      createdFrom: values['created-from'],
      createdTo: values['created-to'],
      updatedFrom: values['updated-from'],
      updatedTo: values['updated-to'],
    };
    const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
    const page = await openApi().transfers.list({ ...given, ...readPage(values) });
    if (json) showJson(page);
    else showData(page);
  },
});

const getCommand = defineCommand({
  name: 'transfers get',
  summary: 'show a transfer',
  positionals: ['ID'],
  options: ofKey,
  examples: [`portico transfers get ${exampleId}`],
  async run({ positionals: [id = ''], values: { json } }) {
    show(await openApi().transfers.get(id), json);
  },
});

const keyOption = {
  'idempotency-key': {
    type: 'string',
    value: 'KEY',
    about: 'name of this attempt: under the same one it is done once, within a day',
  },
} as const;

const createCommand = defineCommand({
  name: 'transfers create',
  summary: 'create a transfer, of the mode of the API key',
  positionals: ['AMOUNT', 'CURRENCY'],
  options: {
    reference: { type: 'string', value: 'TEXT', about: 'what the receiver is told' },
    ...keyOption,
    ...ofKey,
  },
  notes: `The amount has exactly the digits of its currency: 12.50 USD, 1250 JPY. What fails in passing is tried again and created once; a
script that may itself be started again gives --idempotency-key. A TEST transfer settles by itself.`,
  examples: [
    "portico transfers create 12.50 USD --reference 'Invoice 118'",
    'portico transfers create 1250 JPY --idempotency-key order-118',
  ],
  async run({ positionals: [amount = '', currency = ''], values: { reference, json, ...values } }) {
    const transfer = {
      amount,
      currency: currency.toUpperCase(),
      ...(reference === undefined ? {} : { reference }),
    };
    const options = { idempotencyKey: values['idempotency-key'] };
    const { data, response } = await openApi().transfers.create(transfer, options).withResponse();
    if (response.isReplay) note('portico: this attempt had succeeded before; nothing was created again');
    show(data, json);
  },
});

const cancelCommand = defineCommand({
  name: 'transfers cancel',
  summary: 'cancel a transfer while it is PENDING',
  positionals: ['ID'],
  options: ofKey,
  examples: [`portico transfers cancel ${exampleId}`],
  async run({ positionals: [id = ''], values: { json } }) {
    show(await openApi().transfers.cancel(id), json);
  },
});

const everyMs = 10_000;

const changesCommand = defineCommand({
  name: 'transfers changes',
  summary: 'print transfers as they change, oldest change first',
  positionals: [],
  options: {
    since: {
      type: 'string',
      value: 'CURSOR|TIME',
      about: 'cursor of the last line that was taken, or a time',
    },
    follow: { type: 'boolean', about: 'go on until interrupted, asking every 10 s' },
    ...ofKey,
  },
  notes: `With --json each line is an object with transfer and cursor. Keep the cursor of the last line that was taken: --since goes on from
there. Changes of the minute before it come again, so that none that was kept late is missed: take a transfer when its updatedAt is later than that of
the copy. Without --since, every transfer there is.`,
  examples: [
    'portico transfers changes --since 2026-01-31T00:00:00Z --json',
    'portico transfers changes --since 2026-01-31T00:00:00Z --follow',
  ],
  async run({ values: { since, follow, json } }) {
    if (since !== undefined && Number.isNaN(Date.parse(since)))
      throw wrongUsage('--since needs a cursor or a time, as in 2026-01-31T00:00:00Z');
    const signal = untilInterrupted();
    const query = { since, everyMs: follow ? everyMs : undefined };
    try {
      for await (const { transfer, cursor } of openApi().transfers.changes(query, { signal })) {
        if (json) print(JSON.stringify({ transfer, cursor }));
        else {
          const { updatedAt, transferId, status, amount, currency, reference } = transfer;
          print(
            visible([updatedAt, transferId, status, amount, currency, reference ?? ''].join('  ').trimEnd()),
          );
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  },
});

export const signedTransferCommands: readonly Command[] = [
  listCommand,
  getCommand,
  createCommand,
  cancelCommand,
  changesCommand,
];
