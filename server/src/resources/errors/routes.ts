import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { byAccount } from '../../auth/access.ts';
import type { Services } from '../../auth/services.ts';
import { entryOf, errorCodes } from '../../contract/catalogue.ts';
import { endpoint } from '../../contract/endpoint.ts';

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

const ErrorList = Type.Object({ errors: Type.Array(ErrorEntry) });

export async function errorRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.route(
    endpoint(
      {
        method: 'GET',
        url: '/web/v1/errors',
        access: byAccount,
        tags: ['Errors'],
        summary: 'The catalogue of errors',
        operationId: 'listErrors',
        description: 'Every error that the service can answer, on whatever endpoint.',
        answer: ErrorList,
        handle: async () => ({ errors }),
      },
      services,
    ),
  );
}
