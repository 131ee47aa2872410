import type { FastifyInstance } from 'fastify';
import { byAccount } from '../../auth/access.ts';
import { WorkspacePath } from '../../auth/portal/workspace-path.ts';
import type { Services } from '../../auth/services.ts';
import { commandEndpoint } from '../../contract/command-endpoint.ts';
import { listEndpoint } from '../../contract/list-endpoint.ts';
import { recordEndpoint } from '../../contract/record-endpoint.ts';
import { changeChannel } from './change.ts';
import { channels } from './collection.ts';
import { createChannel } from './create.ts';
import { deleteChannel, disableChannel, enableChannel, testChannel } from './life.ts';
import { noChannel } from './locked-channel.ts';
import { rotateSecret } from './rotate.ts';
import { ChannelPath, channelsPerWorkspaceMax } from './schema.ts';

const shared = { access: byAccount, tags: ['Notification channels'] };
const url = '/web/v1/workspaces/:workspaceId/notification-channels';
const channelUrl = `${url}/:channelId`;

/** What every role of the workspace may look at. */
function readRoutes(app: FastifyInstance, services: Services): void {
  const list = {
    ...shared,
    method: 'GET',
    url,
    path: WorkspacePath,
    summary: 'List the notification channels of a workspace',
    operationId: 'listChannels',
    description: 'For every role of the workspace. Newest first unless sorted otherwise.',
  } as const;
  const show = {
    ...shared,
    url: channelUrl,
    path: ChannelPath,
    by: { name: 'channelId', column: channels.columns.channelId },
    none: noChannel,
    summary: 'Show a notification channel',
    operationId: 'getChannel',
    description: 'For every role of the workspace.',
  } as const;
  app.route(listEndpoint(channels, list, services));
  app.route(recordEndpoint(channels, show, services));
}

/** What an owner does with a channel once it is there. */
function lifeRoutes(app: FastifyInstance, services: Services): void {
  const post = { ...shared, method: 'POST' } as const;
  const disable = {
    ...post,
    url: `${channelUrl}/disable`,
    summary: 'Disable a notification channel',
    operationId: 'disableChannel',
    description: 'For owners of the workspace. Nothing is sent any more; what was PENDING becomes CANCELLED.',
  };
  const enable = {
    ...post,
    url: `${channelUrl}/enable`,
    summary: 'Enable a notification channel',
    operationId: 'enableChannel',
    description:
      'For owners of the workspace. A disabled channel tells of what happens from now on; what it missed can be redelivered.',
  };
  const test = {
    ...post,
    url: `${channelUrl}/test`,
    summary: 'Test a notification channel',
    operationId: 'testChannel',
    description: 'For owners of the workspace. Sends an event of type ping to this channel alone.',
  };
  const remove = {
    ...shared,
    method: 'DELETE',
    url: channelUrl,
    summary: 'Delete a notification channel',
    operationId: 'deleteChannel',
    description: 'For owners of the workspace. Its deliveries go with it.',
  } as const;
  app.route(commandEndpoint(disableChannel(services), disable, services));
  app.route(commandEndpoint(enableChannel, enable, services));
  app.route(commandEndpoint(testChannel, test, services));
  app.route(commandEndpoint(deleteChannel, remove, services));
}

export async function channelRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const create = {
    ...shared,
    method: 'POST',
    url,
    summary: 'Create a notification channel',
    operationId: 'createChannel',
    description: `For owners of the workspace, which has at most ${channelsPerWorkspaceMax}. The secret of a WEBHOOK is in this answer and in no other.`,
  } as const;
  const change = {
    ...shared,
    method: 'PATCH',
    url: channelUrl,
    summary: 'Change a notification channel',
    operationId: 'changeChannel',
    description:
      'For owners of the workspace. Name, types of events and configuration; what is absent stays as it is. A signing secret that is sent takes the place of the one before as in a rotation.',
  } as const;
  const rotate = {
    ...shared,
    method: 'POST',
    url: `${channelUrl}/rotate-secret`,
    summary: 'Rotate the secret of a WEBHOOK channel',
    operationId: 'rotateChannelSecret',
    description:
      'For owners of the workspace. The new secret is in this answer and in no other. Both sign for 24 hours.',
  } as const;
  readRoutes(app, services);
  app.route(commandEndpoint(createChannel(services), create, services));
  app.route(commandEndpoint(changeChannel(services), change, services));
  app.route(commandEndpoint(rotateSecret(services), rotate, services));
  lifeRoutes(app, services);
}
