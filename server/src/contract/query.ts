import { parse } from 'node:querystring';

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

/** Parameters by name, repeated ones as a list. Bytes that are not UTF-8 are neither repaired nor taken for their escapes. */
export function parseQuery(text: string): { [name: string]: unknown } {
  return parse(text, '&', '=', { decodeURIComponent: decode, maxKeys: 0 });
}
