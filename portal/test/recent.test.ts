import { describe, expect, it } from 'vitest';
import { readRecent, recentOf, withRecent } from '../src/session/recent.ts';
import { placeOfId } from '../src/ui/record-places.ts';

const one = { path: '/transfers', parameter: 'transfer', id: 'TRF_1', mode: 'LIVE' } as const;

describe('a record that was looked at', () => {
  it('is that of the address', () => {
    const found = (path: string, search: string) => recentOf(path, new URLSearchParams(search));
    expect(found('/transfers', 'transfer=TRF_1&page=2')).toEqual(one);
    expect(found('/transfers', 'transfer=TRF_1&mode=TEST')?.mode).toBe('TEST');
    expect(found('/transfers', 'transfer=')).toBeUndefined();
    expect(found('/transfers', 'file=FILE_1')).toBeUndefined();
    expect(found('/sign-in', 'transfer=TRF_1')).toBeUndefined();
  });

  it('comes first, is there once, and is one of few', () => {
    const many = Array.from({ length: 20 }, (_, at) => ({ ...one, id: `TRF_${at}` }));
    const kept = many.reduce(withRecent, [] as ReturnType<typeof withRecent>);
    expect([kept.length, kept[0]?.id]).toEqual([8, 'TRF_19']);
    expect(withRecent(kept, { ...one, id: 'TRF_15' }).map(({ id }) => id)[0]).toBe('TRF_15');
    expect(withRecent(kept, { ...one, id: 'TRF_15' })).toHaveLength(8);
  });

  it.each(['', '{', '[1,null]', '[{"path":"//elsewhere.example","id":"x"}]', '[{"path":"/files"}]'])(
    'is none where the browser kept %j',
    (text) => {
      expect(readRecent(text)).toEqual([]);
    },
  );

  it('leads to its own page, whatever parameter the browser kept', () => {
    expect(readRecent('[{"path":"/transfers","parameter":"workspace","id":"TRF_1"}]')).toEqual([one]);
  });
});

it('an id says where its record is', () => {
  const ids = ['TRF_1', 'file_01H', 'ak_test_1', 'NCH_9', '3f0c9c1e-7a55-4d1b-9d55-8f2f6f0a4b7e'];
  expect(ids.map((id) => placeOfId(id)?.path)).toEqual([
    '/transfers',
    '/files',
    '/api-keys',
    '/channels',
    '/requests',
  ]);
  for (const none of ['', 'TRF', 'TRF_ 1', 'TRF_\u202e1', 'javascript:x', `TRF_${'x'.repeat(200)}`])
    expect(placeOfId(none)).toBeUndefined();
});
