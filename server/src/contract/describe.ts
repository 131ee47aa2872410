import { type TSchema, Type } from 'typebox';
import { type ErrorCode, entryOf } from './catalogue.ts';

const ErrorBody = Type.Object({
  success: Type.Literal(false),
  code: Type.String(),
  message: Type.String({ description: 'Names the field and what was wrong.' }),
});

const ProblemBody = Type.Object({
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  instance: Type.String(),
  success: Type.Literal(false),
  code: Type.String(),
  alias: Type.Optional(Type.String()),
  message: Type.String(),
  errors: Type.Array(Type.Object({ field: Type.String(), message: Type.String() })),
});

/** What the HTTP layer can answer on any route. */
const everywhere: ErrorCode[] = ['4000', '4080', '4140', '4310', '5000', '5030'];
const withBody: ErrorCode[] = ['4002', '4130', '4150'];

/** What each chain can answer before a handler runs. */
export const chainErrors = {
  jwt: ['4010', '4290'],
  turnstile: ['4030', '5031'],
  signed: ['4011', '4012', '4013', '4014', '4015', '4016', '4031', '4032', '4130', '4290'],
  page: ['VALIDATION.INVALID_PARAMETER'],
} as const satisfies Record<string, ErrorCode[]>;

function errorResponse(codes: ErrorCode[]) {
  const examples = Object.fromEntries(
    codes.map((code) => [
      code,
      { summary: entryOf(code).name, value: { success: false, code, message: entryOf(code).description } },
    ]),
  );
  return {
    description: codes.map((code) => `${code}: ${entryOf(code).description}`).join('\n\n'),
    content: {
      'application/json': { schema: ErrorBody, examples },
      'application/problem+json': { schema: ProblemBody },
    },
  };
}

/** The response part of a route's schema: its success, and every error it can answer, by status. */
export function responses(
  status: 200 | 201,
  success: TSchema,
  codes: readonly ErrorCode[],
  options: { hasBody: boolean; example?: unknown },
) {
  const all = [...new Set([...codes, ...everywhere, ...(options.hasBody ? withBody : [])])];
  const statuses = [...new Set(all.map((code) => entryOf(code).status))].sort();
  const json = { schema: success, ...(options.example === undefined ? {} : { example: options.example }) };
  return {
    [status]: { description: 'Success', content: { 'application/json': json } },
    ...Object.fromEntries(
      statuses.map((each) => [each, errorResponse(all.filter((code) => entryOf(code).status === each))]),
    ),
  };
}
