import type { FastifyContextConfig } from 'fastify';
import { type TObject, type TSchema, Type } from 'typebox';
import { ApiError } from './api-error.ts';
import { type ErrorCode, entryOf } from './catalogue.ts';
import { answerError } from './error-answer.ts';

const code = Type.String({ description: 'Code of the error, as in the catalogue.' });
const message = Type.String({ description: 'What was wrong, for a person. Names the field at fault.' });

const ErrorBody = Type.Object(
  { success: Type.Literal(false), code, message },
  { title: 'Error', description: 'What every error looks like.' },
);

const FieldError = Type.Object(
  {
    field: Type.String({ description: 'Name of the field, with an index inside a list.' }),
    message: Type.String({ description: 'What was wrong with it.' }),
  },
  { title: 'FieldError' },
);

const ProblemBody = Type.Object(
  {
    type: Type.String({ description: 'URN of the error code.' }),
    title: Type.String({ description: 'Name of the error.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'The same text as message.' }),
    instance: Type.String({ description: 'URN of the request id.' }),
    success: Type.Literal(false),
    code,
    alias: Type.Optional(Type.String({ description: 'Another name of the same code.' })),
    message,
    errors: Type.Array(FieldError, { description: 'Each field at fault; empty when no field is.' }),
  },
  { title: 'Problem', description: 'An error in the form of RFC 9457.' },
);

/** What the HTTP layer can answer on any route. */
const everywhere: ErrorCode[] = ['4000', '4080', '4140', '4310', '5000', '5030'];
const withBody: ErrorCode[] = ['4002', '4130', '4150'];

/** What each part of a chain can answer before a handler runs. */
export const chainErrors = {
  portal: ['4030'],
  jwt: ['4010', '4290'],
  turnstile: ['4030', '4290', '5031'],
  signed: ['4011', '4012', '4013', '4014', '4015', '4016', '4031', '4032', '4130', '4290'],
} as const satisfies Record<string, ErrorCode[]>;

/** How a route is guarded, by its own declaration. */
export type Guards = {
  enableJwtToken?: boolean;
  takesJwtToken?: boolean;
  enableTurnstile?: boolean;
  scope?: string;
};

const hasBody = (method: string) => method !== 'GET' && method !== 'HEAD';

function errorsOf(method: string, guards: Guards): ErrorCode[] {
  const { enableJwtToken, takesJwtToken, enableTurnstile, scope } = guards;
  return [
    ...everywhere,
    ...(hasBody(method) ? withBody : []),
    ...(enableJwtToken === undefined ? [] : chainErrors.portal),
    ...(enableJwtToken || takesJwtToken ? chainErrors.jwt : []),
    ...(enableTurnstile ? chainErrors.turnstile : []),
    ...(scope === undefined ? [] : chainErrors.signed),
  ];
}

const requestId = '3f0c9c1e-7a55-4d1b-9d55-8f2f6f0a4b7e';

const headers = {
  requestId: Type.String({
    description: 'Id of the request, also in the log. Quote it when reporting a problem.',
    examples: [requestId],
  }),
  retryAfter: Type.Integer({ description: 'Seconds to wait before the next attempt.', examples: [1] }),
  challenge: Type.String({
    description: 'RFC 6750 challenge, with code 4010.',
    examples: ['Bearer realm="portico", error="invalid_token"'],
  }),
};

function errorHeaders(codes: readonly ErrorCode[]) {
  const waits = codes.some((each) => ['4090', '4290', '5030', '5031'].includes(each));
  return {
    'X-Request-Id': headers.requestId,
    ...(codes.includes('4010') ? { 'WWW-Authenticate': headers.challenge } : {}),
    ...(waits ? { 'Retry-After': headers.retryAfter } : {}),
  };
}

type Example = { summary: string; value: unknown };
/** By what is accepted, then by code: every route has nearly all of them. */
const examples = new Map<string, Map<ErrorCode, Example>>();

/** Made by the function that answers, so that it is what it answers. */
function errorExample(code: ErrorCode, accept: string): Example {
  const { name, description } = entryOf(code);
  const { body } = answerError(new ApiError(code, description), accept, requestId);
  return { summary: name, value: JSON.parse(body) };
}

function errorExamples(codes: readonly ErrorCode[], accept: string) {
  const known = examples.get(accept) ?? new Map<ErrorCode, Example>();
  examples.set(accept, known);
  return Object.fromEntries(
    codes.map((each) => {
      const example = known.get(each) ?? errorExample(each, accept);
      known.set(each, example);
      return [each, example];
    }),
  );
}

function errorResponse(codes: readonly ErrorCode[]) {
  const media = (type: string, schema: TSchema) => ({
    [type]: { schema, examples: errorExamples(codes, type) },
  });
  return {
    description: codes.map((each) => `\`${each}\` ${entryOf(each).description}`).join('\n\n'),
    headers: errorHeaders(codes),
    content: {
      ...media('application/json', ErrorBody),
      ...media('application/problem+json', ProblemBody),
    },
  };
}

export type Texts = { tags: string[]; summary: string; operationId: string; description: string };

export type Described = Texts & {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  url: string;
  config: FastifyContextConfig;
  path?: TObject | undefined;
  query?: TObject | undefined;
  body?: TObject | undefined;
  /** What the body is, where it is not JSON. */
  bodyMedia?: { [type: string]: { schema: TSchema } };
  requestHeaders?: TObject;
  /** The whole success, its envelope included; absent where there is nothing to read. */
  success?: TSchema;
  /** What a success is, where it is not JSON. */
  successMedia?: string;
  /** Successes of other statuses that the same route gives, by what they say. */
  others?: { [status: number]: string };
  status?: 200 | 201 | 202 | 302;
  /** Headers of a success, beside the request's id. */
  headers?: Record<string, TSchema>;
  /** What the route itself can answer, beside its chain. */
  errors: readonly ErrorCode[];
};

/** A route without its handler: security, statuses and every error it can answer follow from the declaration. */
export function describeRoute(declared: Described) {
  const { method, url, config, path, query, body, success, status = 200, headers: own, errors } = declared;
  const { tags, summary, operationId, description, requestHeaders, bodyMedia, others = {} } = declared;
  const all = [...new Set([...errors, ...errorsOf(method, config)])].sort();
  const statuses = [...new Set(all.map((each) => entryOf(each).status))].sort();
  const content =
    success === undefined
      ? { type: 'null' }
      : { content: { [declared.successMedia ?? 'application/json']: { schema: success } } };
  const response = {
    [status]: {
      description: status === 302 ? 'Leads on' : 'Success',
      headers: { 'X-Request-Id': headers.requestId, ...own },
      ...content,
    },
    ...Object.fromEntries(
      Object.entries(others).map(([each, text]) => [
        each,
        {
          description: text,
          headers: { 'X-Request-Id': headers.requestId },
          ...(each < '300' ? content : { type: 'null' }),
        },
      ]),
    ),
    ...Object.fromEntries(
      statuses.map((each) => [each, errorResponse(all.filter((one) => entryOf(one).status === each))]),
    ),
  };
  const texts = { tags, summary, operationId, description };
  const input = {
    ...(path === undefined ? {} : { params: path }),
    ...(query === undefined ? {} : { querystring: query }),
    ...(body === undefined ? {} : { body }),
    ...(bodyMedia === undefined ? {} : { body: { content: bodyMedia } }),
    ...(requestHeaders === undefined ? {} : { headers: requestHeaders }),
  };
  return { method, url, config, schema: { ...texts, ...input, response } };
}
