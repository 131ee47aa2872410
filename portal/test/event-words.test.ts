import { eventTypes } from '@portico/sdk/portal';
import { afterEach, describe, expect, it } from 'vitest';
import { healthText, nextText, soonText, typeGroups, typesText } from '../src/pages/channels/words.ts';
import { actionText, deedText, subjectText } from '../src/ui/audit-words.ts';
import { aboutText, eventText, placeOf } from '../src/ui/event-words.ts';
import { setLocale } from '../src/words/locale.ts';

afterEach(() => setLocale('en'));

const now = Date.parse('2026-01-15T09:30:00Z');
const inSeconds = (seconds: number) => new Date(now + seconds * 1000).toISOString();

describe('an event in words', () => {
  it('says what happened to what', () => {
    expect(['transfer.completed', 'api-key.expiring', 'ping'].map(eventText)).toEqual([
      'Transfer completed',
      'API key expiring',
      'Test of a channel',
    ]);
    expect(aboutText({ amount: '12.50', currency: 'USD', reference: 'INV-1' })).toBe('12.50 USD · INV-1');
    expect(aboutText({ originalFilename: 'a\u202Efdp.exe' })).toBe('a[U+202E]fdp.exe');
    for (const nothing of [null, [], 'text', {}, { name: 5, amount: 1, currency: 'USD' }])
      expect(aboutText(nothing)).toBe('');
  });

  it('leads to the record that it is about, where that is still there', () => {
    const data = { transferId: 'TRF_1', bizId: 'FILE_1', apiKeyId: 'ak_1', channelId: 'NCH_1' };
    const places = Object.keys(eventTypes).map((type) => [type, placeOf(type, data)?.path]);
    expect(Object.fromEntries(places)).toMatchObject({
      'transfer.failed': '/transfers',
      'file.quarantined': '/files',
      'api-key.revoked': '/api-keys',
      'member.invited': '/members',
      'channel.disabled': '/channels',
    });
    expect(placeOf('file.created', data)).toEqual({ path: '/files', parameters: { file: 'FILE_1' } });
    expect(placeOf('file.deleted', data)).toBeUndefined();
    expect(placeOf('transfer.created', {})).toBeUndefined();
    expect(placeOf('constructor.created', data)).toBeUndefined();
  });
});

describe('a deed in words', () => {
  const action = 'api-key.previous-secret-ended';
  it('is told in the language of the reader', () => {
    expect([actionText(action), deedText(action), subjectText('API_KEY')]).toEqual([
      'API key: previous secret ended',
      'Previous secret ended',
      'API key',
    ]);
    setLocale('zh-CN');
    expect([actionText(action), deedText(action), eventText('api-key.expiring'), eventText('ping')]).toEqual([
      'API 密钥：旧密钥已失效',
      '旧密钥已失效',
      'API 密钥即将过期',
      '通知渠道测试',
    ]);
  });

  it('that the catalogue does not have is told as it is', () => {
    setLocale('zh-CN');
    expect([actionText('robot.taught-to-sing'), eventText('constructor.toString')]).toEqual([
      'Robot：taught to sing',
      'ConstructortoString',
    ]);
  });
});

describe('the events of a channel', () => {
  it('are in groups that hold each of them once, but for the test of a channel', () => {
    const grouped = typeGroups.flatMap(({ types }) => types);
    expect([...grouped, 'ping'].sort()).toEqual(Object.keys(eventTypes).sort());
    expect(typeGroups.map(({ name }) => name)).toEqual([
      'Transfers',
      'Files',
      'API keys',
      'Members',
      'Channels',
    ]);
  });

  it('are told shortly: by group, by name, or by number', () => {
    const [transfers, files] = typeGroups;
    expect(typesText(typeGroups.flatMap(({ types }) => types))).toBe('All events');
    expect(typesText([...(transfers?.types ?? []), 'file.created'])).toBe('Transfers, file.created');
    expect(typesText(files?.types.slice(0, 3) ?? [])).toBe('3 of 21 events');
  });
});

describe('what comes next', () => {
  it('is told in words', () => {
    expect([-5, 0.5, 12, 300].map((seconds) => soonText(inSeconds(seconds), now))).toEqual([
      'now',
      'in 1 second',
      'in 12 seconds',
      'in 5 minutes',
    ]);
    const pending = { status: 'PENDING', attempts: 1, nextAttemptAt: inSeconds(12) } as const;
    expect(nextText(pending, now)).toBe('Next attempt in 12 seconds');
    expect(nextText({ ...pending, attempts: 0 }, now)).toBe('First attempt in 12 seconds');
    expect(nextText({ ...pending, status: 'CANCELLED' }, now)).toBe('');
  });

  it('of a channel that is disabled says why, of one that fails since when', () => {
    const channel = { failingSince: null, lastSuccessAt: null, disabledReason: null };
    const reasons = (['OWNER', 'GONE', 'FAILED'] as const).map((disabledReason) =>
      healthText({ ...channel, status: 'DISABLED', disabledReason }, now),
    );
    expect(reasons.map((text) => text.split('.')[0])).toEqual([
      'An owner disabled it',
      'Its receiver answered 410 Gone, which says that it is not to be called any more',
      'Nothing arrived for five days',
    ]);
    expect(healthText({ ...channel, status: 'FAILING', failingSince: inSeconds(-7200) }, now)).toMatch(
      /^What is sent does not arrive, which began 2 hours ago\./,
    );
  });
});
