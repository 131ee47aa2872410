import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { byAccountAtOnce, byNobody, bySolver } from '../../auth/access.ts';
import { accessTokenSeconds } from '../../auth/portal/access-tokens.ts';
import { invalidToken } from '../../auth/portal/roles.ts';
import type { Services } from '../../auth/services.ts';
import { ApiError } from '../../contract/api-error.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { selectMe } from './queries.ts';
import { clearRefreshCookie, readRefreshCookie, writeRefreshCookie } from './refresh-cookie.ts';
import { endSignIn, endSignIns, refreshTokenSeconds, startSignIn } from './refresh-tokens.ts';
import { createRenewal } from './renewal.ts';
import { Login, Me, RefreshRequest, SignInConfig, Tokens } from './schema.ts';
import { createPasswordCheck } from './sign-in.ts';

const Nothing = Type.Object({}, { title: 'Nothing' });
const tags = ['Sign-in'];
const noToken = () =>
  new ApiError('4010', 'the refresh token is missing, invalid or expired', {
    headers: { 'www-authenticate': 'Bearer realm="portico"' },
  });

function tokenAnswer({ tokens, config }: Services) {
  return async (
    reply: FastifyReply,
    accountBizId: string,
    refreshToken: string,
    inCookie: boolean,
  ): Promise<Static<typeof Tokens>> => {
    if (inCookie) writeRefreshCookie(config, reply, refreshToken);
    return {
      accessToken: await tokens.issue(accountBizId),
      tokenType: 'Bearer',
      expiresIn: accessTokenSeconds,
      refreshExpiresIn: refreshTokenSeconds,
      ...(inCookie ? {} : { refreshToken }),
    };
  };
}

function signInRoutes(app: FastifyInstance, services: Services): void {
  const { db, now, config } = services;
  const answer = tokenAnswer(services);
  const checkPassword = createPasswordCheck(services);
  const renew = createRenewal(services);
  app.route(
    endpoint(
      {
        method: 'POST',
        url: '/web/v1/auth/login',
        access: bySolver,
        tags,
        summary: 'Sign in',
        operationId: 'login',
        description:
          'Changes an e-mail address and a password into tokens. The solved challenge goes on to serve the account that signed in.',
        body: Login,
        answer: Tokens,
        errors: ['4017', '4290'],
        async handle({ caller, body, request, reply }) {
          const account = await checkPassword(request, body);
          await caller.solved.remember(account.id);
          const refreshToken = await startSignIn(db, account.id, caller, now());
          return answer(reply, account.bizId, refreshToken, body.session === 'cookie');
        },
      },
      services,
    ),
  );
  app.route(
    endpoint(
      {
        method: 'POST',
        url: '/web/v1/auth/refresh',
        access: byNobody,
        tags,
        summary: 'Renew the tokens',
        operationId: 'refresh',
        description:
          'Replaces a refresh token and issues an access token. The replaced one is good for 10 more seconds; after that, its use ends the whole sign-in.',
        body: RefreshRequest,
        answer: Tokens,
        errors: ['4010', '4290'],
        async handle({ body: { refreshToken }, request, reply }) {
          const token = refreshToken ?? readRefreshCookie(config, request);
          const renewed = token === undefined ? undefined : await renew(request, token);
          if (renewed === undefined) throw noToken();
          return answer(reply, renewed.accountBizId, renewed.refreshToken, refreshToken === undefined);
        },
      },
      services,
    ),
  );
}

function signOutRoutes(app: FastifyInstance, services: Services): void {
  const { db, now, config } = services;
  app.route(
    endpoint(
      {
        method: 'POST',
        url: '/web/v1/auth/logout',
        access: byAccountAtOnce,
        tags,
        summary: 'End the sign-in of a refresh token',
        operationId: 'logout',
        description:
          'The refresh token and all that came of it stop working. Access tokens run out by themselves.',
        body: RefreshRequest,
        answer: Nothing,
        async handle({ caller, body, request, reply }) {
          const token = body.refreshToken ?? readRefreshCookie(config, request);
          if (token === undefined)
            throw new ApiError('4000', 'refreshToken is required', {
              fields: [{ field: 'refreshToken', message: 'is required' }],
            });
          const { id } = await caller.account();
          await endSignIn(db, token, id, caller, now());
          clearRefreshCookie(config, reply);
          return {};
        },
      },
      services,
    ),
  );
  app.route(
    endpoint(
      {
        method: 'POST',
        url: '/web/v1/auth/logout-everywhere',
        access: byAccountAtOnce,
        tags,
        summary: 'End every sign-in of the account',
        operationId: 'logoutEverywhere',
        description:
          'All refresh tokens of the account stop working, on every device. Access tokens run out by themselves.',
        answer: Nothing,
        async handle({ caller, reply }) {
          const { id } = await caller.account();
          await endSignIns(db, id, caller, now());
          clearRefreshCookie(config, reply);
          return {};
        },
      },
      services,
    ),
  );
}

export async function accountRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { db, config } = services;
  signInRoutes(app, services);
  signOutRoutes(app, services);
  app.route(
    endpoint(
      {
        method: 'GET',
        url: '/web/v1/auth/me',
        access: byAccountAtOnce,
        tags,
        summary: 'Who am I',
        operationId: 'me',
        description: 'The account of the access token, with its institutions, workspaces and roles.',
        answer: Me,
        async handle({ caller }) {
          const me = await selectMe(db, await caller.account());
          if (me === undefined) throw invalidToken();
          return me;
        },
      },
      services,
    ),
  );
  app.route(
    endpoint(
      {
        method: 'GET',
        url: '/web/v1/auth/config',
        access: byNobody,
        tags,
        summary: 'What a sign-in page needs',
        operationId: 'signInConfig',
        description: 'What a browser must know before anyone has signed in.',
        answer: SignInConfig,
        handle: async ({ caller: { portal } }) => ({
          turnstileSiteKey: config.turnstileSiteKey ?? null,
          portal: portal ?? null,
        }),
      },
      services,
    ),
  );
}
