import type { Static } from 'typebox';
import { ApiError } from '../../contract/api-error.ts';
import { entryOf, errorCodes } from '../../contract/catalogue.ts';
import type { Queryable } from '../../db/database.ts';
import { selectRequest } from './queries.ts';
import type { RequestDetail, RequestPath } from './schema.ts';

type Detail = Static<typeof RequestDetail>;

function reasonOf(code: string): Detail['reason'] {
  const known = errorCodes.find((each) => each === code);
  if (known === undefined) return null;
  const { name, description } = entryOf(known);
  return { name, description };
}

/** One request, and why it was refused, as the catalogue tells it: the message that was answered may hold what was sent. */
export async function showRequest(
  db: Queryable,
  path: Static<typeof RequestPath>,
  nowMs: number,
): Promise<Detail> {
  const found = await selectRequest(db, path, nowMs);
  if (found === undefined) throw new ApiError('4040', 'this workspace has no request of this id');
  return { ...found, reason: reasonOf(found.code) };
}
