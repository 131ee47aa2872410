import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PortalKind } from '../../config/values.ts';
import { ApiError } from '../../contract/api-error.ts';
import { headerValues } from '../../contract/peer.ts';
import { refuseIfLimited, takeAll } from '../../limits/limits.ts';
import type { AccountCaller } from '../identity.ts';
import type { Services } from '../services.ts';
import type { Subject } from './access-tokens.ts';
import { type Account, findAccount } from './accounts.ts';
import { invalidToken } from './roles.ts';
import { turnstileToken } from './turnstile.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The caller must be known. */
    enableJwtToken?: boolean;
    /** The caller may be known: a token that is sent counts. */
    takesJwtToken?: boolean;
    /** A Turnstile challenge must have been solved by the caller. */
    enableTurnstile?: boolean;
    /** The challenge may be one that was solved for the account that signs in. */
    isSignIn?: boolean;
    /** Any account may ask it of itself, on and on, and each time leaves a record. */
    changesAccount?: boolean;
  }
}

const bearer = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

type Person = Pick<AccountCaller, 'bizId' | 'account' | 'signIn'>;

const userAgentMax = 256;

function missingToken(): ApiError {
  const headers = { 'www-authenticate': 'Bearer realm="portico"' };
  return new ApiError('4010', 'a bearer access token is required', { headers });
}

async function requireSubject({ tokens }: Services, request: FastifyRequest): Promise<Subject> {
  const given = headerValues(request.raw, 'authorization');
  if (given.length === 0) throw missingToken();
  const token = given.length === 1 ? bearer.exec(given[0] ?? '')?.[1] : undefined;
  const subject = token === undefined ? undefined : await tokens.verify(token);
  if (subject === undefined) throw invalidToken();
  return subject;
}

async function requirePerson(services: Services, request: FastifyRequest): Promise<Person> {
  const subject = await requireSubject(services, request);
  let found: Promise<Account> | undefined;
  const look = async () => {
    const account = await findAccount(services.db.shareOf(subject.value), subject);
    if (account === undefined) throw invalidToken();
    return account;
  };
  const account = () => {
    found ??= look();
    return found;
  };
  // What an outside issuer calls a person is no account's name.
  const bizId = subject.issuer === 'portico' ? subject.value : (await account()).bizId;
  return { account, bizId, signIn: subject.signIn };
}

/** Only a trusted proxy says which portal a request came through. */
function portalOf({ config, peers }: Services, request: FastifyRequest): PortalKind | undefined {
  const code = peers.injectedHeader(request.raw, 'x-portal-access-code') ?? config.defaultPortal;
  if (code === undefined) return undefined;
  const portal = config.portals.get(code);
  if (portal === undefined) throw new ApiError('4030', 'the portal access code is not known');
  return portal;
}

/** As printable text: it is shown to people. */
function userAgentOf({ raw }: FastifyRequest): string | null {
  const text = headerValues(raw, 'user-agent')
    .join(' ')
    .replace(/[^ -~]/g, '')
    .slice(0, userAgentMax);
  return text === '' ? null : text;
}

const visitorOf = (services: Services, request: FastifyRequest) => ({
  address: services.peers.clientAddress(request.raw) ?? null,
  requestId: request.id,
  portal: portalOf(services, request),
  userAgent: userAgentOf(request),
});

/** What every portal endpoint passes before its body is read: token, portal, rate, Turnstile. */
export function guardWebChain(app: FastifyInstance, services: Services): void {
  const { limits, now, peers, sightings, turnstile } = services;
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.enableJwtToken === undefined || config.enableTurnstile === undefined) {
      throw new Error(`${url} must declare enableJwtToken and enableTurnstile`);
    }
  });
  const admitPerson = async (request: FastifyRequest, reply: FastifyReply): Promise<AccountCaller> => {
    const person = await requirePerson(services, request);
    // Whether the account still exists is found out by the statement that looks for its place.
    request.askBeforeRefusing = person.account;
    const visitor = visitorOf(services, request);
    if (person.signIn !== null) sightings.note(person.signIn, visitor.address, now());
    const verdict = await limits.take('portal', person.bizId);
    reply.headers(verdict.headers);
    refuseIfLimited(verdict, 'requests');
    if (request.routeOptions.config.changesAccount)
      await takeAll(limits, [['accountChange', person.bizId]], 'changes of the account');
    return { ...visitor, ...person, type: 'account' };
  };
  app.decorateRequest('identity', undefined);
  app.addHook('onRequest', async (request, reply) => {
    const { enableJwtToken, takesJwtToken, enableTurnstile, isSignIn } = request.routeOptions.config;
    const solution = () => [turnstileToken(request.raw), peers.clientAddress(request.raw)] as const;
    const hasToken = () => headerValues(request.raw, 'authorization').length > 0;
    if (enableJwtToken || (takesJwtToken && hasToken())) {
      const caller = await admitPerson(request, reply);
      if (enableTurnstile) await turnstile.requirePass(caller, ...solution());
      request.identity = caller;
      return;
    }
    const visitor = visitorOf(services, request);
    if (isSignIn) {
      const challenge = await turnstile.requireSolvedOrOwn(...solution());
      request.identity = { ...visitor, type: 'signing in', challenge };
      return;
    }
    request.identity = enableTurnstile
      ? { ...visitor, type: 'solver', solved: await turnstile.requireSolved(...solution()) }
      : { ...visitor, type: 'nobody' };
  });
}
