import type { FastifyInstance } from 'fastify';
import { byAccount } from '../../auth/access.ts';
import { memberOfWorkspace } from '../../auth/portal/roles.ts';
import { WorkspacePath } from '../../auth/portal/workspace-path.ts';
import type { Services } from '../../auth/services.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { leavingOf } from '../../contract/place.ts';
import { readOverview } from './overview.ts';
import { Overview, OverviewQuery } from './schema.ts';

export async function overviewRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const show = {
    access: byAccount,
    tags: ['Requests'] as string[],
    method: 'GET',
    url: '/web/v1/workspaces/:workspaceId/overview',
    place: memberOfWorkspace,
    path: WorkspacePath,
    query: OverviewQuery,
    answer: Overview,
    summary: 'Show what happened in a workspace lately',
    operationId: 'overview',
    description:
      'For every role of the workspace: signed requests over time, by key and by code, how long they took, and what wants someone to look at it. Counted some seconds after a request was answered.',
  } as const;
  app.route(
    endpoint(
      {
        ...show,
        handle({ caller, path: { workspaceId }, query, db, reply }) {
          const asker = { id: caller.bizId, leaving: () => leavingOf(reply) };
          const means = { db, lanes: services.db, asker, now: services.now };
          return readOverview(means, { workspaceId, account: caller.bizId, query });
        },
      },
      services,
    ),
  );
}
