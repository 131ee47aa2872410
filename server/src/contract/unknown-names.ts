import type { FastifyRequest } from 'fastify';
import { closestMatch } from 'leven';
import type { TObject } from 'typebox';
import { type FieldError, invalidFields } from './api-error.ts';
import { queryOf } from './query.ts';

/** More of them say nothing more. */
const namedMax = 5;

/** What is too long to be a slip, or is no name at all, is not repeated. */
const slip = /^[\p{L}\p{M}\p{N}_.[\]$-]{1,40}$/u;
const isSlip = (text: string) => text.isWellFormed() && slip.test(text);

function nearestTo(name: string, known: readonly string[]): string | undefined {
  return closestMatch(name, known, { maxDistance: Math.max(2, Math.floor(name.length / 2)) });
}

/** What is wrong with names that are not known, and which were meant. */
export function unknownNames(
  given: readonly string[],
  known: readonly string[],
  { noun, whole }: { noun: string; whole: string },
): FieldError[] {
  const unknown = given.filter((name) => !known.includes(name)).slice(0, namedMax);
  return unknown.map((name) => {
    const nearest = isSlip(name) ? nearestTo(name, known) : undefined;
    const advice =
      nearest === undefined ? `it takes ${known.join(', ') || 'none'}` : `did you mean ${nearest}?`;
    return isSlip(name)
      ? { field: name, message: `is not a ${noun}: ${advice}` }
      : { field: whole, message: `has something that is not a ${noun}: ${advice}` };
  });
}

/** A misspelt filter would give everything: what the route does not declare is refused. */
export async function refuseUnknownParameters(request: FastifyRequest): Promise<void> {
  const asked = Object.keys(queryOf(request));
  if (asked.length === 0) return;
  const declared = request.routeOptions.schema?.querystring as TObject | undefined; // as describeRoute took it
  const known = Object.keys(declared?.properties ?? {});
  const errors = unknownNames(asked, known, { noun: 'parameter of this endpoint', whole: 'query' });
  if (errors.length > 0) throw invalidFields('4000', errors);
}
