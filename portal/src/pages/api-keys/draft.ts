import { keyModes, type NewApiKey } from '@portico/sdk/portal';
import { readNetworks } from './networks.ts';

export type Mode = 'LIVE' | 'TEST';

/** What was typed so far for a new key. */
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

export function expiryOf({ expiry, expiresAt }: Draft, nowMs: number): string | undefined {
  if (expiry === '') return undefined;
  const at = expiry === 'custom' ? Date.parse(expiresAt) : nowMs + Number(expiry) * dayMs;
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

export function nameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'Give the key a name';
  const length = [...name].length;
  return length > nameMax ? `A name has at most ${nameMax} characters, not ${length}` : undefined;
}

export function expiryProblem(draft: Draft, nowMs: number): string | undefined {
  if (draft.expiry !== 'custom') return undefined;
  const at = expiryOf(draft, nowMs);
  if (at === undefined) return 'Choose the date and time at which the key expires';
  return Date.parse(at) <= nowMs ? 'The expiry must be in the future' : undefined;
}

/** Everything that keeps a draft from being sent. */
export function problemsOf(draft: Draft, nowMs: number): string[] {
  const { problems } = readNetworks(draft.addresses);
  return [nameProblem(draft.name), ...problems, expiryProblem(draft, nowMs)].filter(
    (problem) => problem !== undefined,
  );
}

export function newKeyOf({ name, mode, scopes, addresses }: Draft): NewApiKey {
  const code = Object.entries(keyModes).find(([, each]) => each === mode)?.[0];
  return { name, mode: Number(code), scopes, ipWhitelist: readNetworks(addresses).entries };
}
