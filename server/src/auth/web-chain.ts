import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PortalKind } from '../config/values.ts';
import { ApiError } from '../contract/api-error.ts';
import { headerValues } from '../contract/peer.ts';
import { findAccount } from './accounts.ts';
import { refuseIfLimited } from './limits.ts';
import type { Account } from './roles.ts';
import type { Services } from './services.ts';
import { type SolvedChallenge, turnstileToken } from './turnstile.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The caller must be known: request.account is set. */
    enableJwtToken?: boolean;
    /** A Turnstile challenge must have been solved by the caller. */
    enableTurnstile?: boolean;
  }
  interface FastifyRequest {
    account: Account;
    portal: PortalKind | undefined;
    /** The challenge of a caller who is not known yet. */
    solved: SolvedChallenge;
  }
}

const bearer = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

function unauthorized(hasToken: boolean): ApiError {
  const challenge = hasToken ? 'Bearer realm="portico", error="invalid_token"' : 'Bearer realm="portico"';
  const message = hasToken
    ? 'the access token is invalid or has expired'
    : 'a bearer access token is required';
  return new ApiError('4010', message, { headers: { 'www-authenticate': challenge } });
}

async function requireAccount({ tokens, db }: Services, request: FastifyRequest): Promise<Account> {
  const given = headerValues(request.raw, 'authorization');
  if (given.length === 0) throw unauthorized(false);
  const token = given.length === 1 ? bearer.exec(given[0] ?? '')?.[1] : undefined;
  const subject = token === undefined ? undefined : await tokens.verify(token);
  const account = subject === undefined ? undefined : await findAccount(db, subject);
  if (account === undefined) throw unauthorized(true);
  return account;
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
  app.addHook('onRequest', async (request, reply) => {
    const { enableJwtToken, enableTurnstile } = request.routeOptions.config;
    if (enableJwtToken) request.account = await requireAccount(services, request);
    request.portal = portalOf(services, request);
    if (enableJwtToken) {
      const verdict = await limits.take('portal', request.account.bizId);
      reply.headers(verdict.headers);
      refuseIfLimited(verdict, 'requests');
    }
    if (!enableTurnstile) return;
    const token = turnstileToken(request.raw);
    const address = peers.clientAddress(request.raw);
    if (enableJwtToken) await turnstile.requirePass(token, request.account.id, address);
    else request.solved = await turnstile.requireSolved(token, address);
  });
}
