import { failedCheck, wrongUsage } from './failure.ts';
import { showJson, showRecord } from './output/show.ts';
import { note } from './output/terminal.ts';
import { type Profile, profileName, profilePath, readProfile, updateProfile } from './profile.ts';
import { type ApiKey, readUrl, urlOf } from './settings.ts';

/** A secret is shown once, so one that is already kept is never written over by that of another key. */
function checkRoom(profile: Profile, url: string, apiKeyId: string | undefined): void {
  const another = 'choose another profile with --profile';
  if (profile.apiKeyId !== undefined && profile.apiKeyId !== apiKeyId) {
    throw wrongUsage(`the profile ${profileName()} already holds the key ${profile.apiKeyId}: ${another}`);
  }
  const isEmpty = profile.apiKeyId === undefined && profile.tokens === undefined;
  if (!isEmpty && urlOf(profile) !== url) {
    throw wrongUsage(`the profile ${profileName()} is for ${urlOf(profile)}: ${another}`);
  }
}

/** Null: an earlier attempt of the call had succeeded, and its answer was lost. */
type IssuedKey = { apiKeyId: string; secret: string | null };

function saveKey(url: string, { apiKeyId, secret }: ApiKey): void {
  try {
    updateProfile((profile) => {
      checkRoom(profile, url, apiKeyId);
      return { ...profile, url, apiKeyId, secret };
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    throw failedCheck(
      `${apiKeyId} has a new secret that could not be saved (${reason}): rotate the key again`,
    );
  }
}

export type KeySaver = (key: ApiKey) => void;

/** Before the call that gives the key; what it saves is for the server that was meant then, whatever others write meanwhile. */
export function roomForKey(apiKeyId?: string): KeySaver {
  const url = readUrl();
  checkRoom(readProfile(), url, apiKeyId);
  return (key) => saveKey(url, key);
}

/** The one moment at which a secret is known: into the profile, or onto standard output. */
export function handOver(key: IssuedKey, json: boolean | undefined, save: KeySaver | undefined): void {
  const { secret, ...rest } = key;
  if (secret === null)
    throw failedCheck(`${key.apiKeyId} has a secret that was lost with an earlier answer: rotate the key`);
  save?.({ apiKeyId: key.apiKeyId, secret });
  const shown = save ? rest : { ...rest, secret };
  if (json) showJson(shown);
  else showRecord(shown);
  note(save ? `the secret is in ${profilePath()}` : 'keep the secret now: it is not shown again');
}
