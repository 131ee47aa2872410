import type { Command, Option } from '../command.ts';
import { triggeredTypes } from '../event-trigger.ts';

export type Word = { text: string; about: string };

/** What may follow an option: words, a file, or something that no shell can know. */
export type Value = { words: readonly string[] } | 'file' | 'unknown';

export type Place = {
  isCommand: boolean;
  /** The words of a command, or of its beginning; empty before any. */
  path: string;
  next: Word[];
  options: { name: string; about: string; value: Value | undefined }[];
};

const methods = ['GET', 'POST', 'PATCH', 'DELETE', 'HEAD'];
const positionalWords: Readonly<Record<string, readonly string[]>> = {
  METHOD: methods,
  TYPE: triggeredTypes,
  'bash|zsh|fish': ['bash', 'zsh', 'fish'],
};

function followerOf({ type, value = '', choices }: Option): Value | undefined {
  if (type === 'boolean') return undefined;
  if (choices !== undefined) return { words: choices };
  if (/^[a-z]+(\|[a-z]+)+$/.test(value)) return { words: value.split('|') };
  return value.includes('FILE') ? 'file' : 'unknown';
}

function placeOf({ name, positionals, options }: Command): Place {
  const words = positionalWords[positionals[0] ?? ''] ?? [];
  return {
    isCommand: true,
    path: name,
    next: words.map((text) => ({ text, about: '' })),
    options: Object.entries(options).map(([option, table]) => ({
      name: option,
      about: table.about,
      value: followerOf(table),
    })),
  };
}

/** Groups have no text of their own: they are told by what they lead to. */
function groupPlaces(commands: readonly Command[]): Place[] {
  const groups = new Map<string, Map<string, string>>();
  for (const { name, summary } of commands) {
    const words = name.split(' ');
    for (const [at, text] of words.entries()) {
      const path = words.slice(0, at).join(' ');
      const next = groups.get(path) ?? new Map<string, string>();
      groups.set(path, next);
      const isLast = at === words.length - 1;
      const siblings = commands.filter((each) =>
        each.name.startsWith(`${words.slice(0, at + 1).join(' ')} `),
      );
      const verbs = [...new Set(siblings.map((each) => each.name.split(' ')[at + 1] ?? ''))];
      next.set(text, isLast ? summary : verbs.join(', '));
    }
  }
  return [...groups].map(([path, next]) => ({
    isCommand: false,
    path,
    next: [...next].map(([text, about]) => ({ text, about })),
    options: [],
  }));
}

export function placesOf(commands: readonly Command[]): Place[] {
  const places = [...groupPlaces(commands), ...commands.map(placeOf)];
  return places.map((place) => (place.path === '' ? { ...place, next: [...place.next, ...before] } : place));
}

/** What may stand where a command is expected, and is none. */
const before: readonly Word[] = [
  { text: 'help', about: 'help of a command' },
  { text: '--help', about: 'the help text' },
  { text: '--version', about: 'version of the tool' },
];

/** For bash and zsh, to which nothing between these has a meaning. */
export const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The branches of a case, without those that match nothing. */
export function cases(branches: readonly (readonly [patterns: readonly string[], action: string])[]): string {
  return branches
    .filter(([patterns]) => patterns.length > 0)
    .map(([patterns, action]) => `    (${patterns.map(quoted).join('|')})\n      ${action} ;;`)
    .join('\n');
}

/** Where nothing but another word of a command may follow. */
export const groupsIn = (places: readonly Place[]) =>
  places.filter(({ isCommand }) => !isCommand).map(({ path }) => path);

/** By what may follow, all options of all commands, as `keys list --mode`. */
export function optionsByValue(places: readonly Place[]): Map<string, { value: Value; patterns: string[] }> {
  const found = new Map<string, { value: Value; patterns: string[] }>();
  for (const { path, options } of places)
    for (const { name, value } of options) {
      if (value === undefined) continue;
      const key = JSON.stringify(value);
      const entry = found.get(key) ?? { value, patterns: [] };
      found.set(key, entry);
      entry.patterns.push(`${path} --${name}`);
    }
  return found;
}
