import type { PorticoEvent } from '@portico/sdk';
import { type Command, defineCommand, profileOption } from '../command.ts';
import { readTypes, typesOption } from '../event-options.ts';
import { requireTest, takeEvents } from '../event-stream.ts';
import { type TriggeredType, triggeredTypes, triggers } from '../event-trigger.ts';
import { wrongUsage } from '../failure.ts';
import { untilInterrupted } from '../interrupt.ts';
import { suggestion } from '../nearest.ts';
import { openApi } from '../open-api.ts';
import { showJson, showRecord } from '../output/show.ts';
import { note, print, visible } from '../output/terminal.ts';

const ofKey = { ...profileOption, json: { type: 'boolean', about: 'print JSON' } } as const;

/** Records have their id first. */
const subjectOf = ({ data }: PorticoEvent) => String(Object.values(data)[0] ?? '-');

const tailCommand = defineCommand({
  name: 'events tail',
  summary: 'print events as they happen, of the workspace and mode of the API key',
  positionals: [],
  options: {
    ...typesOption,
    after: { type: 'string', value: 'EVENT_ID', about: 'from this event on, else from now on' },
    ...ofKey,
  },
  notes: `With --json each line is an event. Keep the eventId of the last line that was taken: --after goes on from there, up to 30 days back, and no event is
left out or comes twice. EVT_0 is before all of them. The key needs the scope events:read. Ctrl-C ends it.`,
  examples: [
    'portico events tail',
    'portico events tail --types transfer.completed,transfer.failed --after EVT_118 --json',
  ],
  async run({ values: { types: given, after, json } }) {
    const types = readTypes(given);
    const client = openApi();
    const signal = untilInterrupted();
    const start = after ?? (await client.events.latest({ signal }));
    if (after === undefined) note('waiting for events; Ctrl-C ends it');
    await takeEvents(client, { after: start, types }, signal, ({ event }) => {
      const { occurredAt, type, eventId, mode } = event;
      const line = [occurredAt, type, eventId, mode ?? '-', subjectOf(event)].join('  ');
      print(json ? JSON.stringify(event) : visible(line));
    });
  },
});

function readTrigger(given: string): TriggeredType {
  const found = triggeredTypes.find((type) => type === given);
  if (found !== undefined) return found;
  const near = suggestion(given, triggeredTypes);
  throw wrongUsage(`${given} cannot be triggered${near}; what can: ${triggeredTypes.join(', ')}`);
}

const triggerCommand = defineCommand({
  name: 'events trigger',
  summary: 'make something happen in TEST mode, to see its event',
  positionals: ['TYPE'],
  options: ofKey,
  notes: `One of ${triggeredTypes.join(', ')}. It really happens: a TEST transfer of 10 to 19 USD is created, and settles within ten seconds as its amount says; a small TEST file is
uploaded. The key is a TEST key with the scope transfers:write or files:write; what comes before the event, as transfer.created, is told too.`,
  examples: ['portico events trigger transfer.completed'],
  async run({ positionals: [given = ''], values: { json } }) {
    const type = readTrigger(given);
    const client = openApi();
    const signal = untilInterrupted();
    await requireTest(client, 'nothing is triggered in LIVE mode', signal);
    const triggered = { type, ...(await triggers[type](client, signal)) };
    if (json) showJson(triggered);
    else showRecord(triggered);
  },
});

export const eventCommands: readonly Command[] = [tailCommand, triggerCommand];
