import { randomUUID } from 'node:crypto';
import { sign, stringToSign } from '../server/src/auth/signed/signature.ts';
import type { HttpRequest } from './call.ts';
import { type Case, size } from './cases.ts';
import { filtered, type Population } from './populations.ts';
import type { Key } from './world.ts';

export const json = { 'content-type': 'application/json' };

/** The filters as a client writes them. */
export function filtersOf({ filters }: Case, { workspaceBizIds }: Population) {
  const { category, status } = filtered;
  return {
    ...(filters.includes('workspace') ? { workspaceBizId: workspaceBizIds[0] ?? '' } : {}),
    ...(filters.includes('category') ? { fileCategory: category.code } : {}),
    ...(filters.includes('status') ? { fileStatus: status.code } : {}),
  };
}

function queryOf({ sort }: Case, page: number): string {
  return `page=${page}&size=${size}${sort === undefined ? '' : `&sort=${sort.field},${sort.direction}`}`;
}

export function filesRequest(
  measured: Case,
  population: Population,
  page: number,
  headers: Record<string, string> = json,
): HttpRequest {
  return {
    method: 'POST',
    path: `/web/v1/files/query/list?${queryOf(measured, page)}`,
    headers: { ...headers }, // the load generator adds the length of the body to it
    body: JSON.stringify({
      institutionBizId: population.institutionBizId,
      ...filtersOf(measured, population),
    }),
  };
}

/** Without a signature nothing else says whose transfers are asked for. */
export function unsignedRequest(measured: Case, { workspaceBizIds }: Population, page: number): HttpRequest {
  const path = `/api/v1/transfers?${queryOf(measured, page)}&workspaceBizId=${workspaceBizIds[0]}`;
  return { method: 'GET', path, headers: {} };
}

/** Each with a nonce of its own. */
export function signedRequest({ apiKeyId, secret }: Key, path: string, query = ''): HttpRequest {
  const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), randomUUID()];
  const parts = { method: 'GET', path, query, timestamp, nonce, apiKeyId, body: Buffer.alloc(0) };
  const headers = {
    'x-api-key': apiKeyId,
    'x-timestamp': timestamp,
    'x-nonce': nonce,
    'x-signature': sign(secret, stringToSign(parts)),
  };
  return { method: 'GET', path: query === '' ? path : `${path}?${query}`, headers };
}

export function signedTransfers(measured: Case, key: Key, page: number): HttpRequest {
  return signedRequest(key, '/api/v1/transfers', queryOf(measured, page));
}
