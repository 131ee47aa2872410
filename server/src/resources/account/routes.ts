import type { FastifyInstance } from 'fastify';
import { byAccount, byAccountItself } from '../../auth/access.ts';
import type { Services } from '../../auth/services.ts';
import { commandEndpoint } from '../../contract/command-endpoint.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { listEndpoint } from '../../contract/list-endpoint.ts';
import { changeAccount } from './change.ts';
import { sessions } from './collection.ts';
import { endSession } from './end-session.ts';
import { changePassword } from './password.ts';
import { selectAccount } from './record.ts';
import { AccountRecord } from './schema.ts';
import { addSecondFactor, confirmNewSecondFactor, removeSecondFactor } from './second-factor.ts';

const shared = { access: byAccount, tags: ['Account'] };
const changing = { ...shared, access: byAccountItself };
const url = '/web/v1/account';

function sessionRoutes(app: FastifyInstance, services: Services): void {
  const list = {
    ...shared,
    method: 'GET',
    url: `${url}/sessions`,
    summary: 'List the open sessions of the account',
    operationId: 'listSessions',
    description: 'Those that have not ended, on every device; the one seen last is first.',
  } as const;
  const end = {
    ...changing,
    method: 'DELETE',
    url: `${url}/sessions/:sessionId`,
    summary: 'End a session of the account',
    operationId: 'endSession',
    description:
      'Its tokens stop working at once. Of all of them together: `POST /web/v1/auth/logout-everywhere`.',
  } as const;
  app.route(listEndpoint(sessions, list, services));
  app.route(commandEndpoint(endSession, end, services));
}

function secondFactorRoutes(app: FastifyInstance, services: Services): void {
  const factorUrl = `${url}/second-factor`;
  const add = {
    ...changing,
    method: 'POST',
    url: factorUrl,
    summary: 'Begin to add a second factor',
    operationId: 'addSecondFactor',
    description:
      'A secret for an authenticator app (TOTP, RFC 6238). It is asked for nowhere until it is confirmed; begun anew, the secret before is gone.',
  } as const;
  const confirm = {
    ...changing,
    method: 'POST',
    url: `${factorUrl}/confirm`,
    summary: 'Confirm the second factor',
    operationId: 'confirmSecondFactor',
    description:
      'With a code of it. From then on a sign-in wants a code too. The recovery codes are in this answer and in no other.',
  } as const;
  const remove = {
    ...changing,
    method: 'DELETE',
    url: factorUrl,
    summary: 'Remove the second factor',
    operationId: 'removeSecondFactor',
    description: 'With a code of it, or a recovery code. Its recovery codes end too.',
  } as const;
  app.route(commandEndpoint(addSecondFactor(services), add, services));
  app.route(commandEndpoint(confirmNewSecondFactor(services), confirm, services));
  app.route(commandEndpoint(removeSecondFactor(services), remove, services));
}

export async function ownAccountRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { now } = services;
  const show = {
    ...shared,
    method: 'GET',
    url,
    summary: 'Show the own account',
    operationId: 'getAccount',
    description: 'The account of the access token.',
    answer: AccountRecord,
  } as const;
  const change = {
    ...changing,
    method: 'PATCH',
    url,
    summary: 'Change the own account',
    operationId: 'changeAccount',
    description: 'Name and language. What is absent stays as it is.',
  } as const;
  const password = {
    ...changing,
    method: 'POST',
    url: `${url}/password`,
    summary: 'Change the own password',
    operationId: 'changePassword',
    description:
      'Every other sign-in of the account ends at once. A wrong current password counts as a failed sign-in.',
  } as const;
  app.route(
    endpoint(
      { ...show, handle: async ({ caller, db }) => selectAccount(db, (await caller.account()).id, now()) },
      services,
    ),
  );
  app.route(commandEndpoint(changeAccount, change, services));
  app.route(commandEndpoint(changePassword(services), password, services));
  sessionRoutes(app, services);
  secondFactorRoutes(app, services);
}
