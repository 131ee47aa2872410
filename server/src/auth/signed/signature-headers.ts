import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../contract/api-error.ts';
import { headerValues } from '../../contract/peer.ts';

export const windowSeconds = 300;

export type SignatureHeaders = { apiKeyId: string; signature: string; timestamp: string; nonce: string };

const shapes: { [Name in keyof SignatureHeaders]: { header: string; shape: RegExp; must: string } } = {
  apiKeyId: { header: 'X-Api-Key', shape: /^[\x21-\x7e]{1,128}$/, must: 'must be an API key id' },
  signature: {
    header: 'X-Signature',
    shape: /^[\x21-\x7e]{1,256}$/,
    must: 'must have 1 to 256 printable characters',
  },
  timestamp: { header: 'X-Timestamp', shape: /^[0-9]{1,32}$/, must: 'must be epoch seconds in digits' },
  nonce: {
    header: 'X-Nonce',
    shape: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
    must: 'must have the shape of a UUID',
  },
};

export function readSignatureHeaders(request: IncomingMessage): SignatureHeaders {
  const read = (name: keyof SignatureHeaders): string => {
    const { header, shape, must } = shapes[name];
    const [value, ...more] = headerValues(request, header.toLowerCase());
    if (value === undefined) throw new ApiError('4011', `${header} is missing`);
    if (more.length > 0) throw new ApiError('4011', `${header} must be sent once`);
    if (!shape.test(value)) throw new ApiError('4011', `${header} ${must}`);
    return value;
  };
  return {
    apiKeyId: read('apiKeyId'),
    signature: read('signature'),
    timestamp: read('timestamp'),
    nonce: read('nonce'),
  };
}

const hashHeader = 'X-Content-Sha256';

/** What people send instead. */
function otherHash(value: string): string {
  if (/^[0-9a-f]{64}$/i.test(value)) return '; this is not lower case';
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(value) ? '; this looks like base64' : '';
}

/** The hash that a request states of its body, if it does. */
export function readStatedHash(request: IncomingMessage): string | undefined {
  const [value, ...more] = headerValues(request, hashHeader.toLowerCase());
  if (value === undefined) return undefined;
  if (more.length > 0) throw new ApiError('4011', `${hashHeader} must be sent once`);
  if (!/^[0-9a-f]{64}$/.test(value))
    throw new ApiError(
      '4011',
      `${hashHeader} must be the SHA-256 of the body in 64 lower-case hexadecimal digits${otherHash(value)}`,
    );
  return value;
}

/** What arrived is not what was signed. */
export function otherContent(stated: string, found: string): ApiError {
  return new ApiError('4012', `${hashHeader} states ${stated}, and the body that arrived has ${found}`);
}

/** The answer carries the server's time, so that a client can correct its clock. */
export function checkTime(timestamp: string, nowMs: number): void {
  const now = Math.floor(nowMs / 1000);
  const sent = Number(timestamp);
  if (Math.abs(sent - now) <= windowSeconds) return;
  const looksLikeMs = Math.abs(sent / 1000 - now) <= windowSeconds;
  const hint = looksLikeMs ? ', and looks like milliseconds: send seconds' : '';
  throw new ApiError(
    '4013',
    `X-Timestamp is more than ${windowSeconds} s away from the server's time, ${now}${hint}`,
  );
}
