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
  // Many copy the beginning of the paths along; without it, one server has one name.
  return url.href.replace(/\/+$/, '').replace(/\/+api\/v1$/, '');
}

/** The server that what a profile holds belongs to; one that names none was always for the default. */
export function urlOf(profile: Profile, name = profileName()): string {
  return parseUrl(profile.url ?? urlDefault, `url of the profile ${name}`);
}

export function readUrl(): string {
  const configured = fromEnvironment('PORTICO_URL');
  return configured === undefined ? urlOf(readProfile()) : parseUrl(configured, 'PORTICO_URL');
}

/** A key of the profile goes only to the server that it was saved for. */
function storedKey(profile: Profile): ApiKey | undefined {
  const { apiKeyId, secret } = profile;
  if (apiKeyId === undefined || secret === undefined) return undefined;
  if (urlOf(profile) !== readUrl()) {
    throw wrongUsage(
      `the key of the profile ${profileName()} is for ${urlOf(profile)} and not sent to ${readUrl()}: choose another profile with --profile, or set PORTICO_KEY_ID and PORTICO_SECRET`,
    );
  }
  return { apiKeyId, secret };
}

/** Undefined when none is configured; half a key in the environment is never completed from the profile. */
export function findApiKey(): ApiKey | undefined {
  const apiKeyId = fromEnvironment('PORTICO_KEY_ID');
  const secret = fromEnvironment('PORTICO_SECRET');
  if (apiKeyId !== undefined && secret !== undefined) return { apiKeyId, secret };
  if (apiKeyId !== undefined) throw wrongUsage('PORTICO_KEY_ID is set, but PORTICO_SECRET is not');
  if (secret !== undefined) throw wrongUsage('PORTICO_SECRET is set, but PORTICO_KEY_ID is not');
  return storedKey(readProfile());
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
function storedAccess(profile: Profile): Access | undefined {
  if (profile.tokens === undefined) return undefined;
  if (urlOf(profile) !== readUrl()) {
    throw wrongUsage(
      `the profile ${profileName()} is signed in at ${urlOf(profile)}, not at ${readUrl()}: choose another profile with --profile, or run portico login`,
    );
  }
  return { tokens: profile.tokens };
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
