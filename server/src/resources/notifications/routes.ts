import type { FastifyInstance } from 'fastify';
import { byAccount } from '../../auth/access.ts';
import { memberOfWorkspace } from '../../auth/portal/roles.ts';
import { WorkspacePath } from '../../auth/portal/workspace-path.ts';
import type { Services } from '../../auth/services.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { listEndpoint } from '../../contract/list-endpoint.ts';
import { notifications } from './collection.ts';
import { countUnread, markRead } from './queries.ts';
import { notificationsMax, ReadMark, sequenceOf, Unread } from './schema.ts';

const shared = { access: byAccount, tags: ['Notifications'], path: WorkspacePath };
const url = '/web/v1/workspaces/:workspaceId/notifications';

export async function notificationRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const list = {
    ...shared,
    method: 'GET',
    url,
    summary: 'List the notifications of a workspace',
    operationId: 'listNotifications',
    description: `What channels of type IN_APP tell, newest first: the last ${notificationsMax} of the last 30 days. For every role of the workspace.`,
  } as const;
  const unread = {
    ...shared,
    method: 'GET',
    url: `${url}/unread`,
    place: memberOfWorkspace,
    answer: Unread,
    summary: 'Count unread notifications',
    operationId: 'countUnreadNotifications',
    description: 'For every role of the workspace; each account has read what it has read.',
  } as const;
  const read = {
    ...shared,
    method: 'POST',
    url: `${url}/read`,
    place: memberOfWorkspace,
    body: ReadMark,
    answer: Unread,
    summary: 'Mark notifications as read',
    operationId: 'markNotificationsRead',
    description:
      'That of the event and all before it, for the account that calls. Answers what is left unread.',
  } as const;
  app.route(listEndpoint(notifications, list, services));
  app.route(
    endpoint(
      {
        ...unread,
        async handle({ caller, path: { workspaceId }, db }) {
          return { count: await countUnread(db, { workspaceId, account: caller.bizId }) };
        },
      },
      services,
    ),
  );
  app.route(
    endpoint(
      {
        ...read,
        async handle({ caller, path: { workspaceId }, body: { eventId }, db }) {
          const reader = { workspaceId, account: caller.bizId };
          await db.transaction((tx) => markRead(tx, reader, sequenceOf(eventId)));
          return { count: await countUnread(db, reader) };
        },
      },
      services,
    ),
  );
}
