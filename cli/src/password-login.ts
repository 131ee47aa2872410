import type { PorticoPortal, Tokens } from '@portico/sdk/portal';
import { isRefusal } from './errors.ts';
import { failedCheck, wrongUsage } from './failure.ts';
import { note } from './output/terminal.ts';
import { askHidden, askVisibly, isInteractive, readStdin } from './prompt.ts';

export type GivenLogin = { email?: string; 'password-stdin'?: boolean };

const codesMax = 3;

function checkInput({ email, 'password-stdin': isPiped }: GivenLogin): void {
  if (isInteractive()) return;
  if (email === undefined) throw wrongUsage('--email is missing, and there is no terminal to ask on');
  if (!isPiped) throw wrongUsage('there is no terminal to ask for the password on: use --password-stdin');
}

async function readLogin({ email: given, 'password-stdin': isPiped }: GivenLogin) {
  const email = given ?? (await askVisibly('E-mail address: ')).trim();
  const password = isPiped ? await readStdin() : await askHidden('Password: ');
  if (password === '') throw wrongUsage('the password is empty');
  return { email, password };
}

/** Undefined: the server wants a code of the second factor, or another one. */
async function attempt(
  portal: PorticoPortal,
  login: { email: string; password: string; code?: string },
): Promise<Tokens | undefined> {
  try {
    return await portal.login(login);
  } catch (error) {
    if (isRefusal(error, '4018')) return undefined;
    throw error;
  }
}

/** By e-mail address and password, and the code of the second factor where the account has one. */
export async function signInByPassword(portal: PorticoPortal, given: GivenLogin): Promise<Tokens> {
  checkInput(given);
  const login = await readLogin(given);
  const tokens = await attempt(portal, login);
  if (tokens !== undefined) return tokens;
  if (!isInteractive()) {
    throw failedCheck('the account has a second factor: sign in on a terminal, or with --device');
  }
  for (let tries = 0; tries < codesMax; tries += 1) {
    const code = (await askVisibly('Code of the second factor: ')).trim();
    const issued = code === '' ? undefined : await attempt(portal, { ...login, code });
    if (issued !== undefined) return issued;
    note('portico: the code is wrong or was used before');
  }
  throw failedCheck('no code of the second factor was right');
}
