import type { PorticoEvent } from '@portico/sdk';
import { defineCommand, profileOption } from '../command.ts';
import { readTypes, typesOption } from '../event-options.ts';
import { requireTest, takeEvents } from '../event-stream.ts';
import { type Forwarded, forward, readForwardTarget, readWebhookSecret } from '../forward.ts';
import { untilInterrupted } from '../interrupt.ts';
import { openApi } from '../open-api.ts';
import { note, paint, print, visible } from '../output/terminal.ts';

function lineOf({ type, eventId }: PorticoEvent, { status, durationMs, error }: Forwarded): string {
  const isTaken = status !== null && status >= 200 && status < 300;
  const shown = paint(isTaken ? 'green' : 'red', status === null ? 'no answer' : String(status));
  const why = error === null ? [] : [visible(error)];
  return [new Date().toISOString(), visible(type), visible(eventId), shown, `${durationMs} ms`, ...why].join(
    '  ',
  );
}

const needsLive = 'its events are of real transfers; --live if they are to be forwarded';

export const listenCommand = defineCommand({
  name: 'listen',
  summary: 'forward events to a server on this machine, signed as webhooks are',
  positionals: [],
  options: {
    'forward-to': { type: 'string', value: 'URL', about: 'where each event is posted, required' },
    ...typesOption,
    secret: {
      type: 'string',
      value: 'whsec_…',
      about:
        'secret to sign with, else a new one; others can read it in the process list, so for tests alone',
    },
    live: { type: 'boolean', about: 'also with a LIVE key' },
    ...profileOption,
    json: { type: 'boolean', about: 'print each line as JSON' },
  },
  notes: `Events of the mode of the API key, which needs the scope events:read, from now on: nothing has to be reachable from outside. Each is posted once, in
their order, and the server has 10 seconds to answer. What it does not take is told and not sent again; portico events tail --after shows it. Ctrl-C ends it.`,
  examples: [
    'portico listen --forward-to http://localhost:3000/hooks',
    'portico listen --forward-to http://localhost:3000/hooks --types transfer.completed,transfer.failed',
  ],
  async run({ values: { types: given, live, json, ...values } }) {
    const target = readForwardTarget(values['forward-to']);
    const types = readTypes(given);
    const secret = await readWebhookSecret(values.secret);
    const client = openApi();
    const signal = untilInterrupted();
    const caller = await (live ? client.whoami({ signal }) : requireTest(client, needsLive, signal));
    const after = await client.events.latest({ signal });
    note(visible(`${caller.mode} events of ${caller.workspaceBizId} go to ${target.href}; Ctrl-C ends it`));
    note(`signing secret: ${secret}`);
    await takeEvents(client, { after, types }, signal, async ({ event }) => {
      const forwarded = await forward(target, secret, event, signal);
      const { type, eventId } = event;
      print(
        json
          ? JSON.stringify({ time: new Date().toISOString(), type, eventId, ...forwarded })
          : lineOf(event, forwarded),
      );
    });
  },
});
