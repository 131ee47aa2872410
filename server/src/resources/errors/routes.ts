import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Services } from '../../auth/services.ts';
import { entryOf, errorCodes } from '../../contract/catalogue.ts';
import { chainErrors, responses } from '../../contract/describe.ts';
import { Envelope, ok } from '../../contract/envelope.ts';

const ErrorEntry = Type.Object(
  {
    code: Type.String({ description: 'Code of the error.', examples: ['4000'] }),
    alias: Type.Optional(Type.String({ description: 'Another name of the same error.' })),
    httpStatus: Type.Integer({ description: 'The HTTP status it is answered with.', examples: [400] }),
    name: Type.String({ description: 'Name of the error.', examples: ['INVALID_INPUT'] }),
    description: Type.String({
      description: 'When it is answered.',
      examples: [entryOf('4000').description],
    }),
  },
  { title: 'ErrorEntry' },
);

const errors = errorCodes.map((code) => {
  const { status, ...entry } = entryOf(code);
  return { code, httpStatus: status, ...entry };
});

export async function errorRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.get(
    '/web/v1/errors',
    {
      config: { enableJwtToken: true, enableTurnstile: false },
      schema: {
        tags: ['Errors'],
        summary: 'The catalogue of errors',
        operationId: 'listErrors',
        description: 'Every error that the service can answer, on whatever endpoint.',
        response: responses(200, Envelope(Type.Object({ errors: Type.Array(ErrorEntry) })), chainErrors.jwt, {
          hasBody: false,
        }),
      },
    },
    async () => ok({ errors }, services.now()),
  );
}
