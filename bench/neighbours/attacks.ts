import { randomUUID } from 'node:crypto';
import { dataOf, type HttpAnswer, type HttpRequest } from '../call.ts';
import { signedRequest } from '../requests.ts';
import { portalHeaders, signInRequest } from '../world.ts';
import type { Arms } from './tenants.ts';

/** One that asks, and asks again as soon as it is answered. */
export type Client = {
  next(last: HttpAnswer | undefined): HttpRequest;
  /** It does not wait longer for an answer, but leaves and comes again. */
  leavesAfterMs?: number;
  /** It begins no more often than this. */
  everyMs?: number;
};

type Attack = {
  name: string;
  what: string;
  /** The answer unless it is refused for being too much; any other means that the attack is not what it says. */
  expected: 200 | 401 | 404;
  clients(arms: Arms): Client[];
};

const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_none, index) => make(index));

const pick = <Value>(values: readonly Value[], index: number): Value =>
  values[index % values.length] as Value; // never asked of an empty list

function filesQuery({ sessions, institutionBizId }: Arms, account: number, query: string): HttpRequest {
  return {
    method: 'POST',
    path: `/web/v1/files/query/list?${query}`,
    headers: { ...pick(sessions, account) }, // the load generator adds the length of the body to it
    body: JSON.stringify({ institutionBizId }),
  };
}

function workspaceQuery(arms: Arms, account: number, at: number, rest: string): HttpRequest {
  return {
    method: 'GET',
    path: `/web/v1/workspaces/${arms.workspaceBizIds[at]}/${rest}`,
    headers: pick(arms.sessions, account),
  };
}

/** No index has two orders: the database sorts what there is, and passes over most of it. */
function deepSorts(arms: Arms, account: number, index: number): HttpRequest {
  const page = `page=${Math.floor(arms.rows / 100) - 2}&size=100`;
  return index % 2 === 0
    ? workspaceQuery(arms, account, 0, `transfers?${page}&sort=status,asc&sort=amount,desc`)
    : filesQuery(arms, account, `${page}&sort=contentType,asc&sort=fileSize,desc`);
}

function sorting(clients: number, accounts: number, leavesAfterMs?: number) {
  return (arms: Arms) =>
    times(clients, (index) => ({
      next: () => deepSorts(arms, index % accounts, index),
      ...(leavesAfterMs === undefined ? {} : { leavesAfterMs }),
    }));
}

/** What needs no work of the database to speak of. */
export const firstPage = (arms: Arms, account: number) => filesQuery(arms, account, 'size=20');

/** Signs in, and then renews what it was given without end. */
function renewing(email: string): Client {
  let token: string | undefined;
  return {
    next(last) {
      if (last?.status === 200) token = dataOf<{ refreshToken: string }>(last).refreshToken;
      else if (last?.status === 401) token = undefined;
      if (token === undefined) return signInRequest(email);
      const body = JSON.stringify({ refreshToken: token });
      return { method: 'POST', path: '/web/v1/auth/refresh', headers: portalHeaders, body };
    },
  };
}

/** As many parameters as are read, and 8 KB. */
const longQuery = '%=%%%%%%%%%%%%%&'.repeat(499);
const longBody = Buffer.from(JSON.stringify({ a: 'x'.repeat(64 * 1024 - 20) }));

function wronglySigned({ testKeys }: Arms, index: number): HttpRequest {
  const key = { ...pick(testKeys, index), secret: 'not the secret' };
  if (index % 2 === 0) return signedRequest(key, '/api/v1/ping', longQuery);
  const { headers, ...request } = signedRequest(key, '/api/v1/ping');
  const length = { 'content-length': String(longBody.length) }; // node:http gives a GET none
  return { ...request, headers: { ...headers, ...length }, body: longBody };
}

const stray: HttpRequest = {
  method: 'GET',
  path: '/web/v1/nothing',
  headers: { accept: ','.repeat(30_000) },
};

/** All at once from where the first tenant is too. No promise is made there: addresses are how tenants are told apart before they are known. */
export const nearby = 'everything-near';

const crowd = 1500;
const overload = 4;

/** Each is what a tenant may do with its own credentials, as often as it can. */
export const attacks: readonly Attack[] = [
  {
    name: 'sorts',
    what: '12 lists at once with two sort fields and a page near the end, one VIEWER',
    expected: 200,
    clients: sorting(12, 1),
  },
  { name: 'sorts-many', what: 'the same, 50 at once, five accounts', expected: 200, clients: sorting(50, 5) },
  {
    name: 'sorts-leaving',
    what: 'the same, each leaves after 200 ms and comes again at once',
    expected: 200,
    clients: sorting(50, 5, 200),
  },
  {
    name: 'dense-hour',
    what: '100 readers of the middle page of the hour that has most of the files',
    expected: 200,
    clients: (arms) =>
      times(100, (index) => ({
        next: () => filesQuery(arms, index % 10, `page=${Math.floor(arms.denseMiddle / 20)}&size=20`),
      })),
  },
  {
    name: 'signing',
    what: '50 keys that sign as fast as they can',
    expected: 200,
    clients: ({ liveKeys }) => liveKeys.map((key) => ({ next: () => signedRequest(key, '/api/v1/ping') })),
  },
  {
    name: 'wrong-passwords',
    what: 'wrong passwords, 20 at once for accounts of its own and 20 for accounts that do not exist',
    expected: 401,
    clients: ({ sacrificed }) =>
      times(40, (index) => ({
        next: () =>
          signInRequest(
            index % 2 === 0 ? pick(sacrificed, index / 2) : `${randomUUID()}@bench.test`,
            'wrong',
          ),
      })),
  },
  {
    name: 'refreshing',
    what: '20 sign-ins that are renewed without end',
    expected: 200,
    clients: ({ emails }) => times(20, (index) => renewing(pick(emails, index))),
  },
  {
    name: 'crowd',
    what: '1,500 connections that ask for first pages at four times what the service can answer',
    expected: 200,
    clients: (arms) =>
      times(crowd, (index) => ({
        next: () => firstPage(arms, index),
        everyMs: (1000 * crowd) / (overload * arms.capacity),
      })),
  },
  {
    name: 'revoked-keys',
    what: '50 lists at once, first and last page, of the keys of a workspace with as many revoked ones as are kept',
    expected: 200,
    clients: (arms) =>
      times(50, (index) => ({
        next: () =>
          workspaceQuery(arms, index % 5, 2, index % 2 === 0 ? 'api-keys' : 'api-keys?sort=createdAt,asc'),
      })),
  },
  {
    name: 'writes',
    what: '30 changes at once of the name of one account, which wait for one another',
    expected: 200,
    clients: ({ sessions }) =>
      times(30, (index) => ({
        next: () => ({
          method: 'PATCH',
          path: '/web/v1/account',
          headers: { ...pick(sessions, 0) },
          body: JSON.stringify({ name: `Name ${index}` }),
        }),
      })),
  },
  {
    name: 'wrong-signatures',
    what: '50 TEST keys with wrong signatures over queries of 8 KB and bodies of 64 KiB',
    expected: 401,
    clients: (arms) => times(50, (index) => ({ next: () => wronglySigned(arms, index) })),
  },
  {
    name: 'strays',
    what: '50 that ask for paths that are not there, each with a header of 30,000 commas',
    expected: 404,
    clients: () => times(50, () => ({ next: () => stray })),
  },
];
