import type { Tokens } from '@portico/sdk/portal';
import { defineCommand, profileOption } from '../command.ts';
import { signInByDevice } from '../device-login.ts';
import { wrongUsage } from '../failure.ts';
import { note, print, visible } from '../output/terminal.ts';
import { type GivenLogin, signInByPassword } from '../password-login.ts';
import { portalAt } from '../portal-at.ts';
import { checkRoomForSignIn, storeSignIn } from '../portal-session.ts';
import { profileName, readProfile } from '../profile.ts';
import { isInteractive } from '../prompt.ts';
import { parseUrl, readUrl } from '../settings.ts';

/** Cloudflare's documented test keys take this token; a real one wants a browser. */
const dummyToken = 'XXXX.DUMMY.TOKEN.XXXX';
const isDummySiteKey = (siteKey: string) => /^[123]x0+[A-Z]{2}$/.test(siteKey);

type Given = GivenLogin & { device?: boolean };

/** Before anything is sent. */
function checkOptions({ device, email, 'password-stdin': isPiped }: Given): void {
  if (device && (isPiped || email !== undefined))
    throw wrongUsage(
      '--device takes no e-mail address and no password: who signs in is chosen in the browser',
    );
  if (isPiped && email === undefined && !isInteractive())
    throw wrongUsage('--email is missing, and there is no terminal to ask on');
}

/** A challenge before the password wants a browser. */
async function hasChallenge(url: string): Promise<boolean> {
  const { turnstileSiteKey } = await portalAt(url).signInConfig();
  return turnstileSiteKey !== null && !isDummySiteKey(turnstileSiteKey);
}

function warnUnencrypted(url: string): void {
  const { protocol, hostname } = new URL(url);
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  if (protocol === 'http:' && !isLocal)
    note(`portico: ${url} is not encrypted: others may read what is sent, and sign in with it`);
}

async function signIn(url: string, given: Given): Promise<Tokens> {
  const isChallenged = given.device === true || (await hasChallenge(url));
  warnUnencrypted(url);
  if (!isChallenged) return signInByPassword(portalAt(url, { turnstileToken: dummyToken }), given);
  if (given['password-stdin'])
    throw wrongUsage(
      'this server has a person solve a challenge before the password: leave out --password-stdin',
    );
  return signInByDevice(portalAt(url));
}

/** Gives the address of who is signed in. A sign-in that cannot be kept is ended: else it would stay open, and nobody could use it. */
async function keep(url: string, tokens: Tokens): Promise<string> {
  const { accessToken, refreshToken = '' } = tokens;
  const portal = portalAt(url, { accessToken });
  try {
    const { account } = await portal.me();
    storeSignIn(url, tokens);
    return account.email;
  } catch (error) {
    await portal.logout({ refreshToken }).catch(() => {});
    throw error;
  }
}

export const loginCommand = defineCommand({
  name: 'login',
  summary: 'sign in at the portal and keep the tokens in the profile',
  positionals: [],
  options: {
    email: { type: 'string', value: 'E', about: 'e-mail address of the account; asked for when missing' },
    url: {
      type: 'string',
      value: 'U',
      about: 'address of the server, else PORTICO_URL or that of the profile',
    },
    'password-stdin': { type: 'boolean', about: 'read the password from standard input' },
    device: { type: 'boolean', about: 'sign in through a browser, here or on another machine' },
    ...profileOption,
  },
  notes: `The password is asked for without showing it, and the code of a second factor where the account has one. Where a
Turnstile challenge stands before the password, or with --device, a code and a link are shown instead: open the link
in any browser, sign in there, and confirm the code.`,
  examples: [
    'portico login --email owner@demo.test',
    'portico login --url https://portal.example.com --device --profile production',
    'portico login --email owner@demo.test --password-stdin < password.txt',
  ],
  async run({ values }) {
    const url = values.url === undefined ? readUrl() : parseUrl(values.url, '--url');
    checkOptions(values);
    checkRoomForSignIn(readProfile(), url);
    const email = await keep(url, await signIn(url, values));
    print(`signed in at ${url} as ${visible(email)} (profile ${profileName()})`);
  },
});
