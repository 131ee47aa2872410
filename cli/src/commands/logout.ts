import { NetworkError, PorticoError } from '@portico/sdk';
import { defineCommand, profileOption } from '../command.ts';
import { isRefusal } from '../errors.ts';
import { Failure, wrongUsage } from '../failure.ts';
import { note, print } from '../output/terminal.ts';
import { SignInEnded, withPortal } from '../portal-session.ts';
import { profileName, readProfile, updateProfile } from '../profile.ts';
import { readUrl } from '../settings.ts';

function forgetTokens(): void {
  updateProfile(({ tokens: _ended, ...profile }) => profile);
}

/** Gives what went wrong, if anything did. */
async function endSignIn(isEverywhere: boolean | undefined): Promise<unknown> {
  try {
    await withPortal((portal) => {
      if (isEverywhere) return portal.logoutEverywhere();
      // Read now: the tokens may have been renewed on the way here.
      const { refreshToken } = readProfile().tokens ?? {};
      return portal.logout(refreshToken === undefined ? {} : { refreshToken });
    });
    return undefined;
  } catch (error) {
    return error;
  }
}

/** What the person has to know when the server was not told. */
function untold(error: PorticoError): Failure {
  const outcome = error instanceof NetworkError ? 'connection' : 'refused';
  return new Failure(
    `the tokens are forgotten here, but the server was not told (${error.message}): end the sign-in in the portal, or it ends with its time`,
    outcome,
  );
}

export const logoutCommand = defineCommand({
  name: 'logout',
  summary: 'end the sign-in at the server and forget its tokens',
  positionals: [],
  options: {
    everywhere: { type: 'boolean', about: 'end every sign-in of the account, on all devices' },
    ...profileOption,
  },
  notes: 'The tokens are forgotten also when the server cannot be reached. A key in the profile stays.',
  examples: ['portico logout', 'portico logout --everywhere --profile production'],
  async run({ values: { everywhere } }) {
    if (process.env['PORTICO_TOKEN'])
      throw wrongUsage('PORTICO_TOKEN is set, and goes before the sign-in of the profile: unset it first');
    const url = readUrl();
    const error = await endSignIn(everywhere);
    const hasEnded = error instanceof SignInEnded || isRefusal(error, '4010');
    if (error !== undefined && !hasEnded && !(error instanceof PorticoError)) throw error;
    forgetTokens();
    if (error instanceof PorticoError && !hasEnded) throw untold(error);
    if (hasEnded) note('portico: the sign-in had ended before');
    print(`signed out${everywhere && !hasEnded ? ' everywhere' : ''} at ${url} (profile ${profileName()})`);
  },
});
