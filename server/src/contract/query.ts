import { parse } from 'node:querystring';

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
export function parseQuery(text: string): { [name: string]: unknown } {
  if (hasTooManyParameters(text)) return {};
  return parse(text, '&', '=', { decodeURIComponent: decode, maxKeys: 0 });
}
