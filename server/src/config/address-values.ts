import { isIPv6 } from 'node:net';
import pg from 'pg';
import { parseAddress } from '../contract/address.ts';
import { oneOf, port, url } from './values.ts';

const label = '[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?';
const nameShape = new RegExp(`^(?=.{1,253}$)${label}(?:\\.${label})*$`);
/** What begins its last part with a digit is read as IPv4, in one of many spellings. */
const numberShape = /(?:^|\.)\d[^.]*$/;

/** Without the brackets that an IPv6 address has in URLs; it may have a zone. */
export function host(value: string): string {
  const bare = value.replace(/^\[(.*:.*)\]$/, '$1');
  const isName = nameShape.test(bare) && !numberShape.test(bare) && URL.canParse(`http://${bare}`);
  if (parseAddress(bare) === undefined && !isIPv6(bare) && !isName)
    throw new Error('must be an IP address or a host name, and nothing else');
  return bare;
}

/** Of a URL, where they are percent-encoded. */
export function withCredentials(value: string): string {
  const { username, password } = new URL(value);
  try {
    decodeURIComponent(username + password);
  } catch {
    throw new Error('must have its user and password percent-encoded');
  }
  return value;
}

/** Its client would take any other of its settings from the URL, and prefer it to the service's own. */
export function redisUrl(value: string): string {
  const { pathname, searchParams, hash } = new URL(withCredentials(url('redis:', 'rediss:')(value)));
  const parameters = [...searchParams].map(([name, given]) => `${name}=${given}`);
  const isPlain = /^(?:\/\d{0,5})?$/.test(pathname) && hash === '';
  if (!isPlain || !parameters.every((each) => /^family=[046]$/.test(each)))
    throw new Error('must have the number of a database as its path and no parameter but family, if any');
  return value;
}

/** Of TLS, the server, and what hosts of databases put into their URLs. The driver would take any other of its settings too. */
const parameters: { [name: string]: (value: string) => unknown } = {
  host: String,
  port,
  user: String,
  password: String,
  application_name: String,
  options: String,
  channel_binding: String,
  target_session_attrs: String,
  ssl: oneOf(['true', '1', '0']),
  sslmode: oneOf(['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']),
  sslcert: String,
  sslkey: String,
  sslrootcert: String,
  sslnegotiation: oneOf(['postgres', 'direct']),
  uselibpqcompat: oneOf(['true', 'false']),
};

function checkParameters(searchParams: URLSearchParams): void {
  for (const [name, value] of searchParams) {
    // Not repeated: in a URL whose password has a question mark it is the rest of the password.
    if (!Object.hasOwn(parameters, name))
      throw new Error(`must have no parameters but ${Object.keys(parameters).join(', ')}`);
    try {
      parameters[name]?.(value);
    } catch (error) {
      throw new Error(`its ${name} ${(error as Error).message}`); // of a reader
    }
  }
}

/** The driver takes these for verify-full, with a warning of nine lines. Without its libpq semantics they are the same. */
const alikeModes = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|#|$)/g;

export function databaseUrl(value: string): string {
  const { searchParams } = new URL(url('postgres:', 'postgresql:')(value));
  checkParameters(searchParams);
  const isOfLibpq = searchParams.get('uselibpqcompat') === 'true';
  const told = isOfLibpq ? value : value.replace(alikeModes, '$1verify-full');
  try {
    new pg.Client({ connectionString: told }); // reads it and its files; connects nowhere
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException; // of the system, or of the driver's reader
    throw new Error(
      syscall === undefined
        ? 'cannot be read: percent-encode what is special in it, and give verify-ca of libpq a sslrootcert'
        : `names a certificate or key that cannot be read (${code})`,
    );
  }
  return told;
}
