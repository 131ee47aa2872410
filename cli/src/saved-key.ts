import { failedCheck, wrongUsage } from './failure.ts';
import { showJson, showRecord } from './output/show.ts';
import { note } from './output/terminal.ts';
import { profileName, profilePath, readProfile, updateProfile } from './profile.ts';
import { type ApiKey, readUrl, urlOf } from './settings.ts';

/** A secret is shown once, so one that is already kept is never written over by that of another key. */
export function checkRoomForKey(apiKeyId?: string): void {
  const profile = readProfile();
  const another = 'choose another profile with PORTICO_PROFILE';
  if (profile.apiKeyId !== undefined && profile.apiKeyId !== apiKeyId) {
    throw wrongUsage(`the profile ${profileName()} already holds the key ${profile.apiKeyId}: ${another}`);
  }
  const isEmpty = profile.apiKeyId === undefined && profile.tokens === undefined;
  if (!isEmpty && urlOf(profile) !== readUrl()) {
    throw wrongUsage(`the profile ${profileName()} is for ${urlOf(profile)}: ${another}`);
  }
}

/** Null: an earlier attempt of the call had succeeded, and its answer was lost. */
type IssuedKey = { apiKeyId: string; secret: string | null };

function saveKey({ apiKeyId, secret }: ApiKey): void {
  try {
    const url = readUrl();
    updateProfile((profile) => ({ ...profile, url, apiKeyId, secret }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    throw failedCheck(
      `${apiKeyId} has a new secret that could not be saved (${reason}): rotate the key again`,
    );
  }
}

/** The one moment at which a secret is known: into the profile, or onto standard output. */
export function handOver(key: IssuedKey, { save, json }: { save?: boolean; json?: boolean }): void {
  const { secret, ...rest } = key;
  if (secret === null)
    throw failedCheck(`${key.apiKeyId} has a secret that was lost with an earlier answer: rotate the key`);
  if (save) saveKey({ apiKeyId: key.apiKeyId, secret });
  const shown = save ? rest : { ...rest, secret };
  if (json) showJson(shown);
  else showRecord(shown);
  note(save ? `the secret is in ${profilePath()}` : 'keep the secret now: it is not shown again');
}
