import { ApiError } from '../contract/api-error.ts';

export type PartHead = { name: string; filename: string | undefined };

const malformed = (what: string) => new ApiError('4000', `the form is malformed: ${what}`);

export function decodeUtf8(bytes: Buffer, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ApiError('4000', `${what} must be UTF-8`);
  }
}

/** RFC 2046: 1 to 70 characters of these, the last no blank. */
const boundaryForm = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/;
const parameter = /^[ \t]*;[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s";,]+))/su;

/** Names are repeated in refusals. */
const nameForm = /^[\w.[\]-]{1,64}$/;

type Parameters = { first: string; values: Map<string, string> };

/** A value and its parameters, none of them twice. Undefined where it is not of that form. */
function readParameters(text: string): Parameters | undefined {
  const [first = ''] = /^[^;]*/.exec(text) ?? [];
  const values = new Map<string, string>();
  for (let rest = text.slice(first.length); rest.trim() !== ''; ) {
    const [whole, name = '', quoted, bare] = parameter.exec(rest) ?? [];
    if (whole === undefined || values.has(name.toLowerCase())) return undefined;
    values.set(name.toLowerCase(), quoted?.replace(/\\(["\\])/g, '$1') ?? bare ?? '');
    rest = rest.slice(whole.length);
  }
  return { first: first.trim().toLowerCase(), values };
}

export function boundaryOf(contentType: string | undefined): string {
  const { first, values } = readParameters(contentType ?? '') ?? {};
  if (first !== 'multipart/form-data') throw new ApiError('4000', 'the body must be multipart/form-data');
  const boundary = values?.get('boundary');
  if (boundary === undefined) throw malformed('its Content-Type names no boundary');
  if (!boundaryForm.test(boundary))
    throw malformed('its boundary must be 1 to 70 of the characters of RFC 2046');
  return boundary;
}

/** Browsers write quotes and line breaks of a name so. */
function namedBy(filename: string): string {
  return filename.replace(/%0D/gi, '\r').replace(/%0A/gi, '\n').replace(/%22/g, '"');
}

function readHeaders(bytes: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of decodeUtf8(bytes, 'the names in a form').split('\r\n')) {
    const [, name, value] = /^([!-9;-~]+):[ \t]*(.*)$/su.exec(line) ?? [];
    if (name === undefined || value === undefined) throw malformed('a part of it has no valid head');
    if (headers.has(name.toLowerCase())) throw malformed('a part of it has a header twice');
    headers.set(name.toLowerCase(), value);
  }
  return headers;
}

/** The head of a part of a form, without the empty line that ends it. */
export function readPartHead(bytes: Buffer): PartHead {
  const headers = readHeaders(bytes);
  const disposition = readParameters(headers.get('content-disposition') ?? '');
  const name = disposition?.values.get('name');
  if (disposition?.first !== 'form-data' || name === undefined)
    throw malformed('a part of it has no Content-Disposition: form-data with a name');
  if (disposition.values.has('filename*'))
    throw malformed('a file is named by filename, in UTF-8, not by filename*');
  if (!/^(?:7bit|8bit|binary)?$/i.test(headers.get('content-transfer-encoding') ?? ''))
    throw malformed('a part of it is encoded; parts are sent as they are');
  if (!nameForm.test(name)) throw malformed('the name of a part of it is not one of a field');
  const filename = disposition.values.get('filename');
  return { name, filename: filename === undefined ? undefined : namedBy(filename) };
}
