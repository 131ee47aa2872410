import { type ApiKeyChange, type ApiKeyRecord, keyModes, type NewApiKey } from '@portico/sdk/portal';
import { keyFormWords } from '../../words/api-keys.tsx';
import { readNetworks } from './networks.ts';

export type Mode = 'LIVE' | 'TEST';

/** What was typed so far for a key. */
export type Draft = {
  name: string;
  mode: Mode;
  scopes: string[];
  /** An address or block on each line. */
  addresses: string;
  /** Empty: never; days from now; or custom, at expiresAt. */
  expiry: '' | '30' | '90' | '365' | 'custom';
  /** Local time, as a date field writes it. */
  expiresAt: string;
};

const nameMax = 128;
const dayMs = 86_400_000;

export const emptyDraft = (mode: Mode): Draft => ({
  name: '',
  mode,
  scopes: [],
  addresses: '',
  expiry: '',
  expiresAt: '',
});

/** As a date field writes it: local, to the minute. */
const localTime = (at: Date) =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** A key as it is, to be changed. */
export const draftOf = ({ name, mode, scopes, ipWhitelist, expiresAt }: ApiKeyRecord): Draft => ({
  name,
  mode: mode === 'TEST' ? 'TEST' : 'LIVE',
  scopes: [...scopes],
  addresses: ipWhitelist.join('\n'),
  expiry: expiresAt === null ? '' : 'custom',
  expiresAt: expiresAt === null ? '' : localTime(new Date(expiresAt)),
});

export function expiryOf({ expiry, expiresAt }: Draft, nowMs: number): string | undefined {
  if (expiry === '') return undefined;
  const at = expiry === 'custom' ? Date.parse(expiresAt) : nowMs + Number(expiry) * dayMs;
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

function nameProblem(name: string): string | undefined {
  if (name.trim() === '') return keyFormWords.nameMissing;
  const length = [...name].length;
  return length > nameMax ? keyFormWords.nameLong(nameMax, length) : undefined;
}

function expiryProblem(draft: Draft, nowMs: number): string | undefined {
  if (draft.expiry !== 'custom') return undefined;
  const at = expiryOf(draft, nowMs);
  if (at === undefined) return keyFormWords.expiryMissing;
  return Date.parse(at) <= nowMs ? keyFormWords.expiryPast : undefined;
}

const isSameExpiry = (one: Draft, other: Draft | undefined) =>
  one.expiry === other?.expiry && one.expiresAt === other.expiresAt;

/** What keeps a draft from being sent, by the field that it is about. */
export type Problems = { name: string | undefined; addresses: string[]; expiry: string | undefined };

/** An expiry that is past and stays so is no mistake of this draft. */
export const problemsOf = (draft: Draft, nowMs: number, known?: Draft): Problems => ({
  name: nameProblem(draft.name),
  addresses: readNetworks(draft.addresses).problems,
  expiry: isSameExpiry(draft, known) ? undefined : expiryProblem(draft, nowMs),
});

export const isSendable = ({ name, addresses, expiry }: Problems): boolean =>
  name === undefined && addresses.length === 0 && expiry === undefined;

export function newKeyOf(draft: Draft, nowMs: number): NewApiKey {
  const { name, mode, scopes, addresses } = draft;
  const expiresAt = expiryOf(draft, nowMs) ?? null;
  const code = Object.entries(keyModes).find(([, each]) => each === mode)?.[0];
  return { name, mode: Number(code), scopes, ipWhitelist: readNetworks(addresses).entries, expiresAt };
}

const isSameList = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((each) => other.includes(each));

/** What differs, and nothing else: someone else may be changing the rest. */
export function changeOf(known: Draft, draft: Draft, nowMs: number): ApiKeyChange {
  const [before, after] = [known, draft].map(({ addresses }) => readNetworks(addresses).entries);
  return {
    ...(draft.name === known.name ? {} : { name: draft.name }),
    ...(isSameList(draft.scopes, known.scopes) ? {} : { scopes: draft.scopes }),
    ...(before?.join() === after?.join() ? {} : { ipWhitelist: after ?? [] }),
    ...(isSameExpiry(draft, known) ? {} : { expiresAt: expiryOf(draft, nowMs) ?? null }),
  };
}
