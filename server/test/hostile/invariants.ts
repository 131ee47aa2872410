import { isDeepStrictEqual } from 'node:util';
import { type ErrorCode, entryOf, errorCodes } from '../../src/contract/catalogue.ts';
import type { Answer } from '../raw-http.ts';
import type { HostileRequest } from './requests.ts';
import { nasty } from './values.ts';

const codes: ReadonlySet<string> = new Set(errorCodes);
const full = ['version', 'timestamp', 'success', 'code', 'message', 'data'];
const lean = ['code', 'message', 'data'];
const plainError = ['success', 'code', 'message'];
const problem = [
  'type',
  'title',
  'status',
  'detail',
  'instance',
  'success',
  'code',
  'alias',
  'message',
  'errors',
  'stringToSign',
];

/** Words of the database, the driver and the runtime, which no message to a client has a use for. */
const internals = [
  /select |insert |\bfrom \w+ where|\bpg_|postgres|sqlstate|relation |constraint|violates|syntax error/i,
  /node_modules|node:|\.[jt]s\b|Error: |\n\s+at |undefined|\[object/,
];

/** The same words where a hostile request says them, and its refusal quotes it. */
const quoted = nasty.filter((text) => internals.some((words) => words.test(text)));

function errorFault(status: number, body: Record<string, unknown>): string | undefined {
  const { success, code, message } = body;
  const members = Object.keys(body);
  const isProblem = members.includes('type');
  const expected = isProblem
    ? problem.filter((name) => !['alias', 'stringToSign'].includes(name) || body[name] !== undefined)
    : plainError;
  if (!isDeepStrictEqual(members, expected)) return `the members of an error are ${members.join(', ')}`;
  if (success !== false || typeof message !== 'string' || message === '') return 'an error is misshaped';
  if (typeof code !== 'string' || !codes.has(code)) return 'a code is not in the catalogue';
  if (entryOf(code as ErrorCode).status !== status) return 'the status is not that of the code'; // just looked up
  // The text to sign is the client's own request, whatever that says; so is the name of a field that it made up.
  const told = JSON.stringify({ ...body, stringToSign: undefined });
  const rest = quoted.reduce((text, said) => text.replaceAll(said, ''), told);
  const isInside = rest.includes(process.cwd()) || internals.some((words) => words.test(rest));
  return isInside ? 'an error tells of the inside' : undefined;
}

const paged = [
  'files',
  'channelTypes',
  'transfers',
  'workspaceTransfers',
  'listKeys',
  'listSessions',
  'listMembers',
  'listInvitations',
];
const inheritedSort = /[?&]sort=(__proto__|constructor|toString|id)(,|%2C)/;

function successFault(request: HostileRequest, body: Record<string, unknown>): string | undefined {
  if (paged.includes(request.endpoint) && inheritedSort.test(request.target))
    return 'sorted by what is no field';
  const members = request.endpoint === 'channelTypes' ? lean : full;
  if (!isDeepStrictEqual(Object.keys(body), members)) return 'a success is not a whole envelope';
  const isGood = body['code'] === '2000' && body['message'] === 'SUCCESS' && typeof body['data'] === 'object';
  return isGood ? undefined : 'a success does not say so';
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A browser is sent to the sign-in page of this portal and nowhere else: the provider is away. */
const isLedOn = ({ endpoint, method }: HostileRequest, { status, headers, text }: Answer) =>
  ['oidc', 'acceptElsewhere'].includes(endpoint) &&
  method === 'GET' &&
  status === 302 &&
  text === '' &&
  /^\/sign-in\?oidc=(failed|unavailable)(&return=%2F[A-Za-z0-9%._*+-]*)?$/.test(
    headers['location']?.[0] ?? '',
  );

/** What is wrong with an answer, whatever was asked; nothing when all is well. */
export function faultOf(request: HostileRequest, answer: Answer): string | undefined {
  if (isLedOn(request, answer)) return undefined;
  const { status, headers, text } = answer;
  if (status >= 500 || status < 200 || (status >= 300 && status < 400)) return `status ${status}`;
  if (headers['x-request-id']?.length !== 1) return 'no X-Request-Id';
  if (headers['cache-control']?.[0] !== 'no-store') return 'may be cached';
  // Node takes the body away on the wire; injected, it is there.
  if (request.method === 'HEAD') return text === '' || !request.onWire ? undefined : 'HEAD has a body';
  const body = parse(text);
  if (body === undefined) return 'the body is not a JSON object';
  if (!/^application\/(problem\+)?json; charset=utf-8$/.test(headers['content-type']?.[0] ?? ''))
    return 'the media type is not JSON';
  return status >= 400 ? errorFault(status, body) : successFault(request, body);
}
