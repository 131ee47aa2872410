import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Services } from '../services.ts';
import { Me, selectMe } from './me.ts';
import { writeRefreshCookie } from './refresh-cookie.ts';
import type { OpenSignIn } from './sign-ins.ts';

export const Tokens = Type.Object(
  {
    accessToken: Type.String({
      description: 'JWT for the Authorization header.',
      examples: ['eyJhbGciOiJFUzI1NiIsImtpZCI6…'],
    }),
    tokenType: Type.Literal('Bearer'),
    expiresIn: Type.Integer({ description: 'Seconds the access token lives.', examples: [900] }),
    refreshToken: Type.Optional(
      Type.String({ description: 'Absent in a cookie session.', examples: ['rt_…'] }),
    ),
    refreshExpiresIn: Type.Integer({
      description: 'Seconds until the sign-in ends, however often it is renewed.',
      examples: [2_592_000],
    }),
    me: Type.Optional(Me),
  },
  { title: 'Tokens' },
);

/**
 * What every way to sign in ends with. The refresh token goes into the body, or into a cookie that no script reads; who keeps it
 * there is a page, which is told at once who is signed in: it shows nothing before it knows.
 */
export async function answerSignedIn(
  { config, db, now, tokens }: Pick<Services, 'config' | 'db' | 'now' | 'tokens'>,
  reply: FastifyReply,
  signIn: OpenSignIn,
  inCookie: boolean,
): Promise<Static<typeof Tokens>> {
  const { refreshToken, endsAtMs, accountBizId } = signIn;
  const refreshExpiresIn = Math.max(0, Math.ceil((endsAtMs - now()) / 1000));
  if (inCookie) writeRefreshCookie(config, reply, refreshToken, refreshExpiresIn);
  const { token, expiresIn } = tokens.issue(signIn);
  // The sign-in stands by now: where the database fails just here, the page asks again by itself.
  const me = inCookie ? await selectMe(db, accountBizId).catch(() => undefined) : undefined;
  return {
    accessToken: token,
    tokenType: 'Bearer',
    expiresIn,
    refreshExpiresIn,
    ...(inCookie ? {} : { refreshToken }),
    ...(me === undefined ? {} : { me }),
  };
}
