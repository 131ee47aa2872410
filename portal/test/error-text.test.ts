import { NetworkError, PorticoError, RateLimitError, UnavailableError } from '@portico/sdk/portal';
import { afterEach, describe, expect, it } from 'vitest';
import { catalogue } from '../../server/src/contract/catalogue.ts';
import { meaningOf, messageOf, untoldOf } from '../src/ui/error-text.ts';
import { errorWords } from '../src/words/errors.ts';
import { setLocale } from '../src/words/locale.ts';

afterEach(() => setLocale('en'));

const refusal = new PorticoError('role: must be one of OWNER, MEMBER', { status: 400, code: '4000' });

describe('the meanings of errors', () => {
  it('are those of the catalogue of the service, each of them', () => {
    const served = Object.entries(catalogue).map(([code, { description }]) => [code, description]);
    expect(Object.fromEntries(Object.entries(errorWords))).toEqual(Object.fromEntries(served));
  });

  it('are known of codes of the catalogue alone', () => {
    expect([meaningOf('4016'), meaningOf('9999'), meaningOf('constructor')]).toEqual([
      'The API key has expired.',
      undefined,
      undefined,
    ]);
  });
});

describe('what a person is told of an error', () => {
  it('is the word of the service in English, and what its code means in Chinese', () => {
    expect([messageOf(refusal), untoldOf(refusal)]).toEqual([
      'Role: must be one of OWNER, MEMBER.',
      undefined,
    ]);
    setLocale('zh-CN');
    expect(messageOf(refusal)).toBe(errorWords['4000']);
    expect(messageOf(refusal)).toMatch(/请求体/);
    expect(untoldOf(refusal)).toBe(refusal.message);
  });

  it('is the word of the service in any language, where the code is a new one', () => {
    setLocale('zh-CN');
    const unknown = new PorticoError('something new', { status: 400, code: '4009' });
    expect([messageOf(unknown), untoldOf(unknown)]).toEqual(['Something new.', undefined]);
  });

  it.each([
    [new RateLimitError('', { retryAfterSeconds: 1 }), 'in 1 second.', '1 秒后'],
    [new RateLimitError('', { retryAfterSeconds: 120 }), 'in 2 minutes.', '2 分钟后'],
    [new RateLimitError(''), 'Try again later.', '稍后再试'],
    [new NetworkError(''), 'No answer came.', '没有收到响应'],
    [new UnavailableError('', { status: 503 }), 'not available at the moment', '暂时不可用'],
    [new PorticoError('', { status: 503, code: '5031' }), 'you are human', '人机验证'],
    ['no error at all', 'Something unexpected', '意外'],
  ])('is what to do about it: %s', (error, english, chinese) => {
    expect(messageOf(error)).toContain(english);
    setLocale('zh-CN');
    expect(messageOf(error)).toContain(chinese);
  });
});
