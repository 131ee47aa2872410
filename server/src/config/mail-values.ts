import { isMailAddress } from '../contract/mail-address.ts';
import { isLoopbackHost, url } from './values.ts';

export type SmtpServer = {
  host: string;
  port: number;
  /** TLS from the first byte. Otherwise STARTTLS. */
  isSecure: boolean;
  /** Nobody listens in between, so STARTTLS is not insisted on. */
  mayBePlain: boolean;
  auth?: { user: string; password: string };
};

export type Mailbox = { name: string; address: string };

const defaultPorts = { 'smtp:': 587, 'smtps:': 465 };

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('must have its user and password percent-encoded');
  }
}

export function smtpServer(value: string): SmtpServer {
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(
    url('smtp:', 'smtps:')(value),
  );
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (host === '' || !['', '/'].includes(pathname) || search !== '' || hash !== '')
    throw new Error('must be smtp:// or smtps:// with user, password, host and port, and nothing else');
  if ((username === '') !== (password === ''))
    throw new Error('must have both a user and a password, or neither');
  const isSecure = protocol === 'smtps:';
  return {
    host,
    port: Number(port) || defaultPorts[isSecure ? 'smtps:' : 'smtp:'],
    isSecure,
    mayBePlain: !isSecure && isLoopbackHost(host),
    ...(username === '' ? {} : { auth: { user: decoded(username), password: decoded(password) } }),
  };
}

export function mailbox(value: string): Mailbox {
  const [, quoted, bare, bracketed] = /^(?:"([^"\\]*)"|([^"<>\\]*))\s*<([^<>]*)>$/.exec(value) ?? [];
  const address = bracketed ?? value;
  const name = (quoted ?? bare ?? '').trim();
  if (!isMailAddress(address) || /\p{C}/u.test(name))
    throw new Error('must be an address such as portico@example.com or Portico <portico@example.com>');
  return { name, address };
}
