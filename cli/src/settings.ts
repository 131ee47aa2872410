import { wrongUsage } from './failure.ts';
import { type Profile, profileName, readProfile, type StoredTokens } from './profile.ts';

const urlDefault = 'http://127.0.0.1:8080';

/** The environment comes first, then the profile; the profile file is not opened when the environment says it all. */
const fromEnvironment = (name: string): string | undefined => process.env[name] || undefined;

export type ApiKey = { apiKeyId: string; secret: string };

export function parseUrl(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && url.search === '' && url.hash === '' && url.username === '';
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw wrongUsage(`${source} must be an http or https address, as in ${urlDefault}`);
  }
  return url.href.replace(/\/+$/, '');
}

export function readUrl(): string {
  const configured = fromEnvironment('PORTICO_URL');
  if (configured !== undefined) return parseUrl(configured, 'PORTICO_URL');
  return parseUrl(readProfile().url ?? urlDefault, `url of the profile ${profileName()}`);
}

/** Undefined when none is configured; half a key in the environment is never completed from the profile. */
export function findApiKey(): ApiKey | undefined {
  const apiKeyId = fromEnvironment('PORTICO_KEY_ID');
  const secret = fromEnvironment('PORTICO_SECRET');
  if (apiKeyId !== undefined && secret !== undefined) return { apiKeyId, secret };
  if (apiKeyId !== undefined) throw wrongUsage('PORTICO_KEY_ID is set, but PORTICO_SECRET is not');
  if (secret !== undefined) throw wrongUsage('PORTICO_SECRET is set, but PORTICO_KEY_ID is not');
  const profile = readProfile();
  return profile.apiKeyId === undefined || profile.secret === undefined
    ? undefined
    : { apiKeyId: profile.apiKeyId, secret: profile.secret };
}

export function readApiKey(): ApiKey {
  const key = findApiKey();
  if (key === undefined) {
    throw wrongUsage(
      `no API key: set PORTICO_KEY_ID and PORTICO_SECRET, or run portico keys create --save (profile ${profileName()})`,
    );
  }
  return key;
}

export type Access = { token: string } | { tokens: StoredTokens };

/** A token of the profile goes only to the server that issued it. */
function storedAccess({ tokens, url }: Profile): Access | undefined {
  if (tokens === undefined) return undefined;
  if (url !== readUrl()) {
    throw wrongUsage(
      `the profile ${profileName()} is signed in at ${url}, not at ${readUrl()}: run portico login`,
    );
  }
  return { tokens };
}

export function findAccess(): Access | undefined {
  const token = fromEnvironment('PORTICO_TOKEN');
  return token === undefined ? storedAccess(readProfile()) : { token };
}

export function readAccess(): Access {
  const access = findAccess();
  if (access === undefined) throw wrongUsage('not signed in: run portico login, or set PORTICO_TOKEN');
  return access;
}
