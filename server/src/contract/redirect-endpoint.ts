import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { type TObject, Type } from 'typebox';
import type { ErrorCode } from './catalogue.ts';
import { describeRoute, type Texts } from './describe.ts';
import type { Access } from './endpoint.ts';

type RedirectEndpoint<Caller> = Texts & {
  url: string;
  access: Access<Caller>;
  query: TObject;
  errors: readonly ErrorCode[];
  /** Gives the address to go to. */
  handle(asked: { caller: Caller; request: FastifyRequest; reply: FastifyReply }): Promise<string>;
};

const headers = {
  Location: Type.String({ description: 'Where the browser goes next.', examples: ['/sign-in?oidc=done'] }),
  'Set-Cookie': Type.String({
    description: 'What the browser keeps for the next step.',
    examples: ['portico_oidc=…; Path=/web/v1/auth/oidc/callback; Max-Age=600; HttpOnly; SameSite=Lax'],
  }),
};

/** A page that a browser is sent to, and sent on from. No program calls it, so no method but GET leads there. */
export function redirectEndpoint<Caller>(declared: RedirectEndpoint<Caller>): RouteOptions {
  const { access, handle } = declared;
  return {
    ...describeRoute({ ...declared, method: 'GET', config: access.config, status: 302, headers }),
    exposeHeadRoute: false,
    async handler(request, reply) {
      const location = await handle({ caller: access.callerOf(request), request, reply });
      return reply.code(302).header('location', location).send();
    },
  };
}
