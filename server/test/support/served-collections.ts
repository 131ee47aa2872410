import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteHandlerMethod } from 'fastify';
import { buildAppWithoutDatabase } from '../../../scripts/app-without-database.ts';
import { collectionOf, type Served } from '../../src/contract/served.ts';

/** Every collection that the app serves, by the id of its operation. */
export async function servedCollections(): Promise<{ name: string; declared: Served }[]> {
  const found = new Map<RouteHandlerMethod, { name: string; declared: Served }>();
  // Fastify announces each instance before it has routes. GET and HEAD have one handler.
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }; // documented by Fastify, typed as unknown by Node
    fastify.addHook('onRoute', ({ handler, schema }) => {
      const declared = collectionOf(handler);
      const { operationId: name } = (schema ?? {}) as { operationId?: string }; // swagger's own addition to a schema
      if (declared !== undefined && name !== undefined) found.set(handler, { name, declared });
    });
  };
  subscribe('fastify.initialization', watch);
  const app = await buildAppWithoutDatabase();
  unsubscribe('fastify.initialization', watch);
  await app.close();
  return [...found.values()];
}
