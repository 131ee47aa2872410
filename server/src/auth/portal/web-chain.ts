import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PortalKind } from '../../config/values.ts';
import { ApiError } from '../../contract/api-error.ts';
import { headerValues } from '../../contract/peer.ts';
import { refuseIfLimited } from '../../limits/limits.ts';
import type { Services } from '../services.ts';
import type { Subject } from './access-tokens.ts';
import { findAccount } from './accounts.ts';
import { type Account, invalidToken } from './roles.ts';
import { type SolvedChallenge, turnstileToken } from './turnstile.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The caller must be known: request.account is set. */
    enableJwtToken?: boolean;
    /** A Turnstile challenge must have been solved by the caller. */
    enableTurnstile?: boolean;
    /** The handler's own statement finds out whether the account still exists: request.account is not set. */
    accountIn?: 'place';
  }
  interface FastifyRequest {
    /** Who calls, as the token says. */
    caller: Caller;
    account: Account;
    portal: PortalKind | undefined;
    /** The challenge of a caller who is not known yet. */
    solved: SolvedChallenge;
  }
}

const bearer = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

type Caller = {
  bizId: string;
  /** The account as it is now; refuses one that is gone. Asked for at most once. */
  account(): Promise<Account>;
};

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

async function requireCaller(services: Services, request: FastifyRequest): Promise<Caller> {
  const subject = await requireSubject(services, request);
  let found: Promise<Account> | undefined;
  const look = async () => {
    const account = await findAccount(services.db.shareOf(subject.value, ''), subject);
    if (account === undefined) throw invalidToken();
    return account;
  };
  const account = () => {
    found ??= look();
    return found;
  };
  // What an outside issuer calls a person is no account's name.
  return { account, bizId: subject.issuer === 'portico' ? subject.value : (await account()).bizId };
}

/** Only a trusted proxy says which portal a request came through. */
function portalOf({ config, peers }: Services, request: FastifyRequest): PortalKind | undefined {
  const code = peers.injectedHeader(request.raw, 'x-portal-access-code') ?? config.defaultPortal;
  if (code === undefined) return undefined;
  const portal = config.portals.get(code);
  if (portal === undefined) throw new ApiError('4030', 'the portal access code is not known');
  return portal;
}

/** What every portal endpoint passes before its body is read: token, portal, rate, Turnstile. */
export function guardWebChain(app: FastifyInstance, services: Services): void {
  const { limits, peers, turnstile } = services;
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.enableJwtToken === undefined || config.enableTurnstile === undefined) {
      throw new Error(`${url} must declare enableJwtToken and enableTurnstile`);
    }
  });
  const admit = async (request: FastifyRequest) => {
    const caller = await requireCaller(services, request);
    request.caller = caller;
    if (request.routeOptions.config.accountIn === 'place') request.askBeforeRefusing = caller.account;
    else request.account = await caller.account();
  };
  app.addHook('onRequest', async (request, reply) => {
    const { enableJwtToken, enableTurnstile } = request.routeOptions.config;
    if (enableJwtToken) await admit(request);
    request.portal = portalOf(services, request);
    if (enableJwtToken) {
      const verdict = await limits.take('portal', request.caller.bizId);
      reply.headers(verdict.headers);
      refuseIfLimited(verdict, 'requests');
    }
    if (!enableTurnstile) return;
    const token = turnstileToken(request.raw);
    const address = peers.clientAddress(request.raw);
    if (enableJwtToken) await turnstile.requirePass(token, request.caller, address);
    else request.solved = await turnstile.requireSolved(token, address);
  });
}
