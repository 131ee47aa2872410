import { expect } from 'vitest';
import { type ErrorCode, entryOf } from '../src/contract/catalogue.ts';
import type { Answer } from './raw-http.ts';

const requestId = /^[A-Za-z0-9._-]{1,128}$/;

/** An error as the contract has it: status of its code, exactly three members, a request id, and not to be cached. */
export function expectError(answer: Answer, code: ErrorCode): void {
  expect({ status: answer.status, body: answer.text }).toEqual({
    status: entryOf(code).status,
    body: expect.stringContaining(`"code":"${code}"`),
  });
  const body = JSON.parse(answer.text);
  expect(Object.keys(body)).toEqual(['success', 'code', 'message']);
  expect(body).toEqual({ success: false, code, message: expect.stringMatching(/\S/) });
  expect(answer.headers['content-type']).toEqual(['application/json; charset=utf-8']);
  expect(answer.headers['x-request-id']).toEqual([expect.stringMatching(requestId)]);
  expect(answer.headers['cache-control']).toEqual(['no-store']);
}

export function expectSuccess(answer: Answer, status = 200): void {
  expect({ status: answer.status, body: answer.text }).toEqual({
    status,
    body: expect.stringContaining('"code":"2000"'),
  });
  expect(answer.headers['x-request-id']).toEqual([expect.stringMatching(requestId)]);
}
