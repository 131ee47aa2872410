import { keptDays } from '../server/src/events/sweep.ts';
import { eventTypes } from '../server/src/log/event-types.ts';

type Webhook = { post: { requestBody: { content: Record<string, { example: { mode: string | null } }> } } };
type Described = { webhooks: Record<string, Webhook> };

const head = `# Events

<!-- Made by npm run events, from server/src/log/event-types.ts and the API description. -->

What happens in a workspace is an event: it is told with the commit of what happened, so that nothing is told that did not happen, and nothing happens
untold. An event has the number of its record in the [audit log](audit-log.md); numbers rise in the order of commits, and have gaps. \`data\` is the record as the API
showed it at that moment, of what is deleted or removed as it last was, and never holds a secret.

## Pulling them

\`GET /api/v1/events\` with a key that has the scope \`events:read\` gives the oldest first: the events of the mode of the key, and those that have no mode, which
are those of members. Keep \`nextAfter\` with what you did, and send it as \`after\` next time:

\`\`\`
GET /api/v1/events?limit=100
GET /api/v1/events?limit=100&after=EVT_120345
GET /api/v1/events?limit=100&after=EVT_120345&types=transfer.completed,transfer.failed
\`\`\`

Who does so gets every event exactly once and in order, whatever is written meanwhile and whichever instance answers. While \`hasMore\` is true, ask again at
once; else after a while. An event can be pulled within a second of its commit, and for ${keptDays} days. Who stays away for longer has missed events, and reads
the [lists](keeping-in-step.md) once. The same holds when an operator has brought back a backup of the database: numbers go back with it, so begin without \`after\`.

[Imports](feeding.md) make no events: who needs those records reads the lists, by \`updatedFrom\`.

## Types

New types may be added. Ignore those that you do not know.

| type | what happened |
|---|---|
`;

/** The page about events, as it follows from the catalogue and the API description. */
export function eventsDocument({ webhooks }: Described): string {
  const types = Object.entries(eventTypes);
  const rows = types.map(([type, text]) => `| [\`${type}\`](#${type.replace('.', '')}) | ${text} |`);
  const parts = types.map(([type, text]) => {
    const example = webhooks[type]?.post.requestBody.content['application/json']?.example;
    return `### ${type}\n\n${text}\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\`\n`;
  });
  return `${head}${rows.join('\n')}\n\n${parts.join('\n')}`;
}
