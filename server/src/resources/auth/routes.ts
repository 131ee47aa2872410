import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { accessTokenSeconds } from '../../auth/portal/access-tokens.ts';
import type { Services } from '../../auth/services.ts';
import { ApiError } from '../../contract/api-error.ts';
import { chainErrors, responses } from '../../contract/describe.ts';
import { Envelope, ok } from '../../contract/envelope.ts';
import { reader } from '../../contract/validate.ts';
import { selectMe } from './queries.ts';
import { clearRefreshCookie, readRefreshCookie, writeRefreshCookie } from './refresh-cookie.ts';
import { endSignIn, endSignIns, refreshTokenSeconds, startSignIn } from './refresh-tokens.ts';
import { createRenewal } from './renewal.ts';
import { Login, Me, RefreshRequest, SignInConfig, Tokens } from './schema.ts';
import { createPasswordCheck } from './sign-in.ts';

const readLogin = reader(Login);
const readRefresh = reader(RefreshRequest);
const Nothing = Type.Object({}, { title: 'Nothing' });
const tags = ['Sign-in'];
const isOpen = { enableJwtToken: false, enableTurnstile: false, isUrgent: true as const };
const isKnown = { enableJwtToken: true, enableTurnstile: false, isUrgent: true as const };

const noToken = () =>
  new ApiError('4010', 'the refresh token is missing, invalid or expired', {
    headers: { 'www-authenticate': 'Bearer realm="portico"' },
  });

const originOf = ({ peers }: Services, request: FastifyRequest) => ({
  address: peers.clientAddress(request.raw) ?? null,
  requestId: request.id,
});

function tokenAnswer({ tokens, config, now }: Services) {
  return async (reply: FastifyReply, accountBizId: string, refreshToken: string, inCookie: boolean) => {
    if (inCookie) writeRefreshCookie(config, reply, refreshToken);
    const accessToken = await tokens.issue(accountBizId);
    const data = {
      accessToken,
      tokenType: 'Bearer',
      expiresIn: accessTokenSeconds,
      refreshExpiresIn: refreshTokenSeconds,
    };
    return ok(inCookie ? data : { ...data, refreshToken }, now());
  };
}

function signInRoutes(app: FastifyInstance, services: Services): void {
  const { db, now, config } = services;
  const answer = tokenAnswer(services);
  const checkPassword = createPasswordCheck(services);
  const renew = createRenewal(services);
  app.post(
    '/web/v1/auth/login',
    {
      config: { enableJwtToken: false, enableTurnstile: true, isUrgent: true },
      schema: {
        tags,
        summary: 'Sign in',
        operationId: 'login',
        description:
          'Changes an e-mail address and a password into tokens. The solved challenge goes on to serve the account that signed in.',
        body: Login,
        response: responses(200, Envelope(Tokens), ['4017', '4290', ...chainErrors.turnstile], {
          hasBody: true,
        }),
      },
    },
    async (request, reply) => {
      const login = readLogin(request.body as object); // the parser lets only objects pass
      const account = await checkPassword(request, login);
      await request.solved.remember(account.id);
      const refreshToken = await startSignIn(db, account.id, originOf(services, request), now());
      return answer(reply, account.bizId, refreshToken, login.session === 'cookie');
    },
  );
  app.post(
    '/web/v1/auth/refresh',
    {
      config: isOpen,
      schema: {
        tags,
        summary: 'Renew the tokens',
        operationId: 'refresh',
        description:
          'Replaces a refresh token and issues an access token. The replaced one is good for 10 more seconds; after that, its use ends the whole sign-in.',
        body: RefreshRequest,
        response: responses(200, Envelope(Tokens), ['4010', '4290'], { hasBody: true }),
      },
    },
    async (request, reply) => {
      const { refreshToken } = readRefresh(request.body as object); // the parser lets only objects pass
      const token = refreshToken ?? readRefreshCookie(config, request);
      const renewed = token === undefined ? undefined : await renew(request, token);
      if (renewed === undefined) throw noToken();
      return answer(reply, renewed.accountBizId, renewed.refreshToken, refreshToken === undefined);
    },
  );
}

function signOutRoutes(app: FastifyInstance, services: Services): void {
  const { db, now, config } = services;
  app.post(
    '/web/v1/auth/logout',
    {
      config: isKnown,
      schema: {
        tags,
        summary: 'End the sign-in of a refresh token',
        operationId: 'logout',
        description:
          'The refresh token and all that came of it stop working. Access tokens run out by themselves.',
        body: RefreshRequest,
        response: responses(200, Envelope(Nothing), chainErrors.jwt, { hasBody: true }),
      },
    },
    async (request, reply) => {
      const token = readRefresh(request.body as object).refreshToken ?? readRefreshCookie(config, request); // the parser lets only objects pass
      if (token === undefined)
        throw new ApiError('4000', 'refreshToken is required', {
          fields: [{ field: 'refreshToken', message: 'is required' }],
        });
      await endSignIn(db, token, request.account.id, originOf(services, request), now());
      clearRefreshCookie(config, reply);
      return ok({}, now());
    },
  );
  app.post(
    '/web/v1/auth/logout-everywhere',
    {
      config: isKnown,
      schema: {
        tags,
        summary: 'End every sign-in of the account',
        operationId: 'logoutEverywhere',
        description:
          'All refresh tokens of the account stop working, on every device. Access tokens run out by themselves.',
        response: responses(200, Envelope(Nothing), chainErrors.jwt, { hasBody: true }),
      },
    },
    async (request, reply) => {
      await endSignIns(db, request.account.id, originOf(services, request), now());
      clearRefreshCookie(config, reply);
      return ok({}, now());
    },
  );
}

export async function accountRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { db, now, config } = services;
  signInRoutes(app, services);
  signOutRoutes(app, services);
  app.get(
    '/web/v1/auth/me',
    {
      config: isKnown,
      schema: {
        tags,
        summary: 'Who am I',
        operationId: 'me',
        description: 'The account of the access token, with its institutions, workspaces and roles.',
        response: responses(200, Envelope(Me), chainErrors.jwt, { hasBody: false }),
      },
    },
    async (request) => ok(await selectMe(db, request.account), now()),
  );
  app.get(
    '/web/v1/auth/config',
    {
      config: isOpen,
      schema: {
        tags,
        summary: 'What a sign-in page needs',
        operationId: 'signInConfig',
        description: 'What a browser must know before anyone has signed in.',
        response: responses(200, Envelope(SignInConfig), [], { hasBody: false }),
      },
    },
    async ({ portal }) =>
      ok({ turnstileSiteKey: config.turnstileSiteKey ?? null, portal: portal ?? null }, now()),
  );
}
