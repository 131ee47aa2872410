import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { wrongUsage } from './failure.ts';
import { withLock } from './profile-lock.ts';

export type StoredTokens = { accessToken: string; refreshToken: string; expiresAt: string };

export type Profile = { url?: string; apiKeyId?: string; secret?: string; tokens?: StoredTokens };

type ProfileFile = { profiles: Record<string, Profile> };

export function profilePath(): string {
  const configured = process.env['XDG_CONFIG_HOME'] ?? '';
  // The XDG specification has relative paths ignored.
  const home = isAbsolute(configured) ? configured : join(homedir(), '.config');
  return join(home, 'portico', 'profiles.json');
}

let chosen: string | undefined;

/** By the command line, which goes before the environment. */
export function chooseProfile(name: string): void {
  chosen = name;
}

export function profileName(): string {
  const name = chosen ?? (process.env['PORTICO_PROFILE'] || 'default');
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) {
    const source = chosen === undefined ? 'PORTICO_PROFILE' : '--profile';
    throw wrongUsage(`${source} must have 1 to 64 letters, digits, dots, dashes or underscores`);
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

function profileOf({ profiles }: ProfileFile, name: string): Profile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  return isObject(profile) ? profile : {};
}

export function readProfile(): Profile {
  return profileOf(readFile(profilePath()), profileName());
}

export function readProfiles(): [string, Profile][] {
  const file = readFile(profilePath());
  return Object.keys(file.profiles).map((name) => [name, profileOf(file, name)]);
}

/**
 * Read anew under a lock, so that no other process's change is lost, and replaced in one step, so that a reader never meets half a
 * file. What was checked before a call to the server is checked by `change` again; what it gives back as it was is not written.
 */
export function updateProfile(change: (profile: Profile) => Profile): void {
  const path = profilePath();
  const name = profileName();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  chmodSync(dirname(path), 0o700);
  withLock(path, () => {
    const file = readFile(path);
    const before = profileOf(file, name);
    const after = change(before);
    if (after === before) return;
    file.profiles[name] = after;
    const draft = `${path}.draft`;
    rmSync(draft, { force: true });
    writeFileSync(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(draft, path);
  });
}
