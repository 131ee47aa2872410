import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { byNobody, bySolver } from '../../auth/access.ts';
import type { Services } from '../../auth/services.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { confirmReset } from './reset-confirm.ts';
import { createResetRequests } from './reset-request.ts';
import { PasswordReset, PasswordResetRequest } from './schema.ts';

const Nothing = Type.Object({}, { title: 'Nothing' });
const tags = ['Sign-in'];

export function resetRoutes(app: FastifyInstance, services: Services): void {
  const request = createResetRequests(app, services);
  app.route(
    endpoint(
      {
        method: 'POST',
        url: '/web/v1/auth/password-reset',
        access: bySolver,
        tags,
        summary: 'Ask for a link that sets the password anew',
        operationId: 'requestPasswordReset',
        description:
          'The same answer for every e-mail address. An account that has a password is mailed a link that works once, for an hour; a newer link takes the place of an older one.',
        body: PasswordResetRequest,
        answer: Nothing,
        status: 202,
        errors: ['4290'],
        async handle({ caller, body: { email }, reply }) {
          await request(caller, email, reply);
          return {};
        },
      },
      services,
    ),
  );
  app.route(
    endpoint(
      {
        method: 'POST',
        url: '/web/v1/auth/password-reset/confirm',
        access: byNobody,
        tags,
        summary: 'Set the password anew',
        operationId: 'confirmPasswordReset',
        description:
          'With the token of a link. Every sign-in of the account ends at once. A second factor stays as it is.',
        body: PasswordReset,
        answer: Nothing,
        errors: ['4040', '4290'],
        async handle({ caller, body }) {
          await confirmReset(services, caller, body);
          return {};
        },
      },
      services,
    ),
  );
}
