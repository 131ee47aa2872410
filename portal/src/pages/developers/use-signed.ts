import { sign, stringToSign } from '@portico/sdk';
import { useEffect, useState } from 'react';
import { bodyBytes, type DebuggedRequest } from './request.ts';

export type Signed = {
  /** What was signed, so that no output mixes two states of the form. */
  request: DebuggedRequest;
  /** The eight of the string to sign. */
  lines: readonly string[];
  bodyLength: number;
  /** Undefined without a secret. */
  signature: string | undefined;
};

/** Browsers give WebCrypto only to https and to this very machine. */
export const canSign = (): boolean => globalThis.crypto?.subtle !== undefined;

async function signRequest(request: DebuggedRequest): Promise<Signed | undefined> {
  const body = bodyBytes(request);
  if (body === undefined) return undefined;
  const parts = { ...request, body };
  const lines = (await stringToSign(parts)).split('\n');
  const signature = request.secret === '' ? undefined : await sign(request.secret, parts);
  return { request, lines, bodyLength: body.length, signature };
}

/** Signs in this browser, anew at every change. Undefined while the body cannot be read. */
export function useSigned(request: DebuggedRequest): Signed | undefined {
  const [signed, setSigned] = useState<Signed>();
  useEffect(() => {
    let isCurrent = true;
    void signRequest(request).then((result) => {
      if (isCurrent) setSigned(result);
    });
    return () => {
      isCurrent = false;
    };
  }, [request]);
  return signed;
}
