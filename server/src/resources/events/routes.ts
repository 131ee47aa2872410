import type { FastifyInstance } from 'fastify';
import { byKey } from '../../auth/access.ts';
import type { Services } from '../../auth/services.ts';
import { describeRoute } from '../../contract/describe.ts';
import { Envelope, okText } from '../../contract/envelope.ts';
import { askedOf, leavingOf } from '../../contract/place.ts';
import { keptDays } from '../../events/sweep.ts';
import { createPull } from './pull.ts';
import { eventsOfKey } from './queries.ts';
import { EventPage, EventQuery } from './schema.ts';

const access = byKey('events:read');

const described = describeRoute({
  method: 'GET',
  url: '/api/v1/events',
  tags: ['Events'],
  summary: 'Pull events',
  operationId: 'listEvents',
  description:
    'What happened in the workspace of the key, oldest first: events of the mode of the key, and those that have none. A client that keeps nextAfter and sends it as after gets every event once and in order, however long it stays away within the ' +
    `${keptDays} days that events are kept. docs/events.md shows each type.`,
  config: access.config,
  query: EventQuery,
  success: Envelope(EventPage),
  errors: eventsOfKey.errors,
});

export async function eventRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const pull = createPull(services);
  app.route({
    ...described,
    async handler(request, reply) {
      const asked = askedOf(request);
      const values = eventsOfKey.at(access.callerOf(request), asked);
      const asker = { id: eventsOfKey.asker(values), leaving: () => leavingOf(reply) };
      const page = await pull(values, asked.query, asker);
      reply.header('content-type', 'application/json; charset=utf-8');
      return okText(page, services.now());
    },
  });
}
