import { parse } from 'node:querystring';
import type { FastifyRequest } from 'fastify';

export type RawQuery = { [name: string]: string | string[] | undefined };

/** Reading, sorting and encoding them again takes longer than anything else that is done with a request. */
export const parametersMax = 500;

/** Whether a target, or its query, has more parameters than are read. */
export function hasTooManyParameters(text: string): boolean {
  let at = -1;
  for (let count = 1; count <= parametersMax; count += 1) {
    at = text.indexOf('&', at + 1);
    if (at === -1) return false;
  }
  return true;
}

/** No text of UTF-8 decodes to this, and every reader refuses it. */
const notUnicode = '\uD800';

/** As in the canonical query of a signature, an invalid percent sign stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replace(/%(?![0-9A-Fa-f]{2})/g, '%25'));
  } catch {
    return notUnicode;
  }
}

/**
 * Parameters by name, repeated ones as a list. Bytes that are not UTF-8 are neither repaired nor taken for their escapes. Of
 * too many none is read: it comes before the refusal.
 */
function parseQuery(text: string): RawQuery {
  if (hasTooManyParameters(text)) return {};
  return parse(text, '&', '=', { decodeURIComponent: decode, maxKeys: 0 });
}

/** What the router makes of a query: nothing yet. To read a long one before its turn would keep others waiting. */
export class UnreadQuery {
  readonly text: string;
  [name: string]: unknown; // as the router's type has it

  constructor(text: string) {
    this.text = text;
  }
}

/** The parameters of a request, which are read when they are first asked for. */
export function queryOf(request: FastifyRequest): RawQuery {
  if (request.query instanceof UnreadQuery) request.query = parseQuery(request.query.text);
  return request.query as RawQuery; // by the line above
}
