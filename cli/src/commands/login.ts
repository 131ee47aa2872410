import { PorticoPortal } from '@portico/sdk/portal';
import { defineCommand, profileOption } from '../command.ts';
import { failedCheck, wrongUsage } from '../failure.ts';
import { note, print } from '../output/terminal.ts';
import { storeTokens } from '../portal-session.ts';
import { profileName, readProfile } from '../profile.ts';
import { askHidden, askVisibly, isInteractive, readStdin } from '../prompt.ts';
import { parseUrl, readUrl, urlOf } from '../settings.ts';

/** Cloudflare's documented test keys take this token; a real one wants a browser. */
const dummyToken = 'XXXX.DUMMY.TOKEN.XXXX';
const isDummySiteKey = (siteKey: string) => /^[123]x0+[A-Z]{2}$/.test(siteKey);

function checkProfile(url: string): void {
  const profile = readProfile();
  if (profile.apiKeyId !== undefined && urlOf(profile) !== url) {
    throw wrongUsage(
      `the profile ${profileName()} holds a key of ${urlOf(profile)}: choose another profile with --profile`,
    );
  }
}

async function checkTurnstile(url: string): Promise<void> {
  const { turnstileSiteKey } = await new PorticoPortal({ baseUrl: url }).signInConfig();
  if (turnstileSiteKey !== null && !isDummySiteKey(turnstileSiteKey)) {
    throw failedCheck(
      'this server has a person solve a challenge: sign in with a browser and put the access token into PORTICO_TOKEN',
    );
  }
}

function warnUnencrypted(url: string): void {
  const { protocol, hostname } = new URL(url);
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  if (protocol === 'http:' && !isLocal)
    note(`portico: ${url} is not encrypted: others may read the password`);
}

type Given = { email?: string; 'password-stdin'?: boolean };

/** Before anything is sent. */
function checkInput({ email, 'password-stdin': isPiped }: Given): void {
  if (isInteractive()) return;
  if (email === undefined) throw wrongUsage('--email is missing, and there is no terminal to ask on');
  if (!isPiped) throw wrongUsage('there is no terminal to ask for the password on: use --password-stdin');
}

async function readLogin({ email: given, 'password-stdin': isPiped }: Given) {
  const email = given ?? (await askVisibly('E-mail address: ')).trim();
  const password = isPiped ? await readStdin() : await askHidden('Password: ');
  if (password === '') throw wrongUsage('the password is empty');
  return { email, password };
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
    ...profileOption,
  },
  notes: `The password is asked for without showing it. A server whose sign-in has a real Turnstile challenge needs a
browser: sign in there and set PORTICO_TOKEN to the access token.`,
  examples: [
    'portico login --email owner@demo.test',
    'portico login --email owner@demo.test --url https://portal.example.com --password-stdin < password.txt',
  ],
  async run({ values }) {
    const url = values.url === undefined ? readUrl() : parseUrl(values.url, '--url');
    checkInput(values);
    checkProfile(url);
    await checkTurnstile(url);
    warnUnencrypted(url);
    const login = await readLogin(values);
    const portal = new PorticoPortal({ baseUrl: url, turnstileToken: dummyToken });
    storeTokens(url, await portal.login(login));
    print(`signed in at ${url} as ${login.email} (profile ${profileName()})`);
  },
});
