import { fileTypeFromBuffer } from 'file-type';

/** How much of a file its type is read from: packages name what they hold within their first entries. */
export const sampleBytes = 64 * 1024;

const unknown = 'application/octet-stream';

/** Texts have no other controls than these. */
const controls = /(?![\t\n\f\r])\p{Cc}/u;

function isText(sample: Uint8Array): boolean {
  try {
    // As a stream: the sample may end inside a character.
    return !controls.test(new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true }));
  } catch {
    return false;
  }
}

/** What browsers would run, HTML, SVG or any other XML, is text here. */
const asText: ReadonlySet<string> = new Set(['application/xml', 'text/html', 'image/svg+xml']);

/** The type that the first bytes of a file show; never what its sender says it is. */
export async function sniff(sample: Uint8Array): Promise<string> {
  if (sample.length === 0) return unknown;
  const found = await fileTypeFromBuffer(sample).catch(() => undefined);
  if (found !== undefined && !asText.has(found.mime)) return found.mime;
  return isText(sample) ? 'text/plain' : unknown;
}
