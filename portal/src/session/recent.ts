import { recordPlaces } from '../ui/record-places.ts';
import { storage } from './storage.ts';

/** A record that was looked at, and where. */
export type Recent = { path: string; parameter: string; id: string; mode: 'LIVE' | 'TEST' };

const recentMax = 8;
const keyOf = (account: string, workspace: string) => `recent:${account}:${workspace}` as const;

function readOne(value: unknown): Recent[] {
  if (typeof value !== 'object' || value === null) return [];
  const { path, id, mode } = value as { [Key in keyof Recent]?: unknown }; // each is looked at before it is believed
  const place = recordPlaces.find((each) => each.path === path);
  if (place === undefined || typeof id !== 'string') return [];
  return [{ path: place.path, parameter: place.parameter, id, mode: mode === 'TEST' ? 'TEST' : 'LIVE' }];
}

/** What the browser kept, which anybody may have changed. */
export function readRecent(text: string | null): Recent[] {
  try {
    const found: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(found) ? found.flatMap(readOne).slice(0, recentMax) : [];
  } catch {
    return [];
  }
}

/** The record that an address names. */
export function recentOf(path: string, params: URLSearchParams): Recent | undefined {
  const place = recordPlaces.find((each) => each.path === path);
  const id = place === undefined ? null : params.get(place.parameter);
  if (place === undefined || id === null || id === '') return undefined;
  const mode = params.get('mode') === 'TEST' ? 'TEST' : 'LIVE';
  return { path, parameter: place.parameter, id, mode };
}

/** The last one first, each once. */
export const withRecent = (recent: readonly Recent[], one: Recent): Recent[] =>
  [one, ...recent.filter(({ path, id }) => path !== one.path || id !== one.id)].slice(0, recentMax);

export const recentIn = (account: string, workspace: string): Recent[] =>
  readRecent(storage.get(keyOf(account, workspace)));

export function keepRecent(account: string, workspace: string, one: Recent): void {
  storage.set(keyOf(account, workspace), JSON.stringify(withRecent(recentIn(account, workspace), one)));
}
