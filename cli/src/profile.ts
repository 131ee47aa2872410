import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { wrongUsage } from './failure.ts';

export type StoredTokens = { accessToken: string; refreshToken: string; expiresAt: string };

export type Profile = { url?: string; apiKeyId?: string; secret?: string; tokens?: StoredTokens };

type ProfileFile = { profiles: Record<string, Profile> };

export function profilePath(): string {
  const configured = process.env['XDG_CONFIG_HOME'] ?? '';
  // The XDG specification has relative paths ignored.
  const home = isAbsolute(configured) ? configured : join(homedir(), '.config');
  return join(home, 'portico', 'profiles.json');
}

export function profileName(): string {
  const name = process.env['PORTICO_PROFILE'] || 'default';
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) {
    throw wrongUsage('PORTICO_PROFILE must have 1 to 64 letters, digits, dots, dashes or underscores');
  }
  return name;
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const quoted = (path: string) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

function checkPrivate(path: string): void {
  if ((statSync(path).mode & 0o077) !== 0) {
    throw wrongUsage(`${path} is open to others and may hold secrets: run chmod 600 ${quoted(path)}`);
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isProfileFile(value: unknown): value is ProfileFile {
  return isObject(value) && 'profiles' in value && isObject(value.profiles);
}

function readText(path: string): string | undefined {
  try {
    checkPrivate(path);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function readFile(path: string): ProfileFile {
  const text = readText(path);
  if (text === undefined) return { profiles: {} };
  try {
    const file: unknown = JSON.parse(text);
    if (isProfileFile(file)) return file;
  } catch {
    // The parser's message quotes the file, and with it a secret.
  }
  throw wrongUsage(`${path} is no profile file: mend it, or remove it and sign in again`);
}

export function readProfile(): Profile {
  const { profiles } = readFile(profilePath());
  const name = profileName();
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  return isObject(profile) ? profile : {};
}

/** Replaced in one step, so that a reader never meets half a file. */
export function updateProfile(change: (profile: Profile) => Profile): void {
  const path = profilePath();
  const file = readFile(path);
  file.profiles[profileName()] = change(readProfile());
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  chmodSync(dirname(path), 0o700);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, path);
}
