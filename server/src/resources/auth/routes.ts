import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { byAccountAtOnce, byNobody, bySigningIn } from '../../auth/access.ts';
import type { Account } from '../../auth/portal/accounts.ts';
import { codeRequired, createCodeCheck } from '../../auth/portal/code-check.ts';
import { Me, selectMe } from '../../auth/portal/me.ts';
import { createPasswordCheck, wrongCredentials } from '../../auth/portal/password-check.ts';
import { clearRefreshCookie, readRefreshCookie } from '../../auth/portal/refresh-cookie.ts';
import { invalidToken } from '../../auth/portal/roles.ts';
import type { Origin } from '../../auth/portal/sign-in-records.ts';
import { endSignIn, endSignIns, startSignIn } from '../../auth/portal/sign-ins.ts';
import { answerSignedIn, Tokens } from '../../auth/portal/signed-in.ts';
import type { Services } from '../../auth/services.ts';
import { ApiError } from '../../contract/api-error.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { demoAccounts, demoPassword } from '../../demo/demo-world.ts';
import { createRenewal } from './renewal.ts';
import { resetRoutes } from './reset-routes.ts';
import { Login, RefreshRequest, SignInConfig } from './schema.ts';

const Nothing = Type.Object({}, { title: 'Nothing' });
const tags = ['Sign-in'];
const noToken = () =>
  new ApiError('4010', 'the refresh token is missing, invalid or expired', {
    headers: { 'www-authenticate': 'Bearer realm="portico"' },
  });

function signInRoutes(app: FastifyInstance, services: Services): void {
  const { config } = services;
  const checkPassword = createPasswordCheck(services);
  const checkCode = createCodeCheck(services);
  const renew = createRenewal(services);
  const requireCode = async (account: Account, code: string | undefined, from: Origin) => {
    if (code === undefined) throw codeRequired();
    await checkCode(account, code, from);
  };
  app.route(
    endpoint(
      {
        method: 'POST',
        url: '/web/v1/auth/login',
        access: bySigningIn,
        tags,
        summary: 'Sign in',
        operationId: 'login',
        description:
          'Changes an e-mail address and a password into tokens. An account with a second factor is asked for its code too, with `4018`, once the password was right. The solved challenge goes on to serve the account: the attempt with the code sends the same one again.',
        body: Login,
        answer: Tokens,
        errors: ['4017', '4018', '4290'],
        async handle({ caller, body, reply }) {
          const account = await checkPassword(caller, body, (id) =>
            caller.challenge.requireFor(body.code === undefined ? undefined : id),
          );
          await caller.challenge.remember(account.id);
          if (account.hasSecondFactor) await requireCode(account, body.code, caller);
          const signIn = await startSignIn(services, account.id, caller, account);
          if (signIn === undefined) throw wrongCredentials();
          return answerSignedIn(services, reply, signIn, body.session === 'cookie');
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
          'Replaces a refresh token and issues an access token. The replaced one gives the same successor for 10 more seconds; after that, its use ends the whole sign-in.',
        body: RefreshRequest,
        answer: Tokens,
        errors: ['4010', '4290'],
        async handle({ caller, body: { refreshToken }, request, reply }) {
          const token = refreshToken ?? readRefreshCookie(config, request);
          const signIn = token === undefined ? undefined : await renew(caller, token);
          if (signIn === undefined) throw noToken();
          return answerSignedIn(services, reply, signIn, refreshToken === undefined);
        },
      },
      services,
    ),
  );
}

function signOutRoutes(app: FastifyInstance, services: Services): void {
  const { now, config } = services;
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
          'The refresh token, all that came of it, and the access tokens of that sign-in stop working at once.',
        body: RefreshRequest,
        answer: Nothing,
        async handle({ caller, body, db, request, reply }) {
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
          'All tokens of the account stop working at once, on every device, those of this request included.',
        answer: Nothing,
        async handle({ caller, db, reply }) {
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
  const { config, mail } = services;
  signInRoutes(app, services);
  signOutRoutes(app, services);
  resetRoutes(app, services);
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
        async handle({ caller, db }) {
          const { bizId } = await caller.account();
          const me = await selectMe(db, bizId);
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
          openIdConnect: config.openIdConnect === undefined ? null : { label: config.openIdConnect.label },
          demo: config.isDemo ? { accounts: demoAccounts, password: demoPassword } : null,
          hasPasswordReset: mail.isOn,
        }),
      },
      services,
    ),
  );
}
