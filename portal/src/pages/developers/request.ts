import vectorsFile from '../../../../docs/signing-vectors.json' with { type: 'json' };
import { readCall } from '../../ui/call-address.ts';

/** What the debugger signs, each as it was typed. It lives in the memory of the page and nowhere else. */
export type DebuggedRequest = {
  method: string;
  path: string;
  query: string;
  body: string;
  isBase64: boolean;
  apiKeyId: string;
  secret: string;
  timestamp: string;
  nonce: string;
};

type Vector = (typeof vectorsFile.vectors)[number];

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'];

export const nowSeconds = (): string => String(Math.floor(Date.now() / 1000));

/** A UUID also where crypto.randomUUID is missing, which is on pages of plain http. */
export function newNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'));
  hex[6] = `4${hex[6]?.charAt(1)}`;
  hex[8] = `a${hex[8]?.charAt(1)}`;
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

export const freshRequest = (): DebuggedRequest => ({
  method: 'GET',
  path: '/api/v1/whoami',
  query: '',
  body: '',
  isBase64: false,
  apiKeyId: '',
  secret: '',
  timestamp: nowSeconds(),
  nonce: newNonce(),
});

/** What a link carries, such as from a request that was refused; the secret is for the reader to enter. */
export function linkedRequest(params: URLSearchParams): DebuggedRequest {
  const call = readCall(params);
  if (call === undefined) return freshRequest();
  const at = Date.parse(call.at);
  return {
    ...freshRequest(),
    method: methods.find((method) => method === call.method) ?? 'GET',
    path: call.path,
    apiKeyId: params.get('key') ?? '',
    ...(Number.isNaN(at) ? {} : { timestamp: String(Math.floor(at / 1000)) }),
  };
}

function requestOf({ secret, request }: Vector): DebuggedRequest {
  const { method, path, query, apiKeyId, timestamp, nonce, body, bodyBase64 } = request;
  const isBase64 = bodyBase64 !== undefined;
  const rest = { method, path, query, apiKeyId, timestamp, nonce, secret };
  return { ...rest, isBase64, body: bodyBase64 ?? body ?? '' };
}

/** The published vectors, the worked example of the guide first. */
export const vectorNames = vectorsFile.vectors.map(({ name }) => name);

export function vectorRequest(name: string): DebuggedRequest {
  const vector = vectorsFile.vectors.find((each) => each.name === name);
  if (vector === undefined) throw new Error(`there is no vector named ${name}`);
  return requestOf(vector);
}

/** Undefined when it is not Base64 though it should be. */
export function bodyBytes({ body, isBase64 }: DebuggedRequest): Uint8Array | undefined {
  if (!isBase64) return new TextEncoder().encode(body);
  try {
    return Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
