import { describe, expect, it } from 'vitest';
import { linkedRequest } from '../src/pages/developers/request.ts';
import { callParameters, readCall, withoutCall } from '../src/ui/call-address.ts';

const call = {
  method: 'POST',
  path: '/api/v1/transfers/:transferId/cancel?a=1&b=ü',
  address: '2001:db8::1',
  at: '2026-11-16T14:00:00.500Z',
};

describe('a call in an address', () => {
  it('is read as it was written', () => {
    const params = new URLSearchParams({ workspace: 'WS', key: 'ak_1', ...callParameters(call) });
    expect(readCall(new URLSearchParams(params.toString()))).toEqual(call);
    expect(withoutCall(params).toString()).toBe('workspace=WS&key=ak_1');
  });

  it('is none without a path, and names nothing that is empty', () => {
    expect(readCall(new URLSearchParams('method=GET&address=::1'))).toBe(undefined);
    expect(callParameters({ method: 'GET', path: '/api/v1/ping', address: '' })).toEqual({
      method: 'GET',
      path: '/api/v1/ping',
    });
  });

  it('fills the signature debugger but for the secret, whatever the address says', () => {
    const params = new URLSearchParams({ key: 'ak_1', secret: 'sk_1', ...callParameters(call) });
    expect(linkedRequest(params)).toMatchObject({
      method: 'POST',
      path: call.path,
      apiKeyId: 'ak_1',
      timestamp: '1794837600',
      secret: '',
    });
    expect(
      linkedRequest(new URLSearchParams({ ...callParameters(call), method: 'NOP', at: 'noon' })),
    ).toMatchObject({
      method: 'GET',
      timestamp: expect.stringMatching(/^\d{10}$/),
    });
  });
});
