import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import { openWorld, type World, type WorldOptions } from './world.ts';

export type Route = { method: string; url: string; config: FastifyContextConfig };

/** A world and all routes of its app. Fastify announces each instance before it has routes, so the list is complete. */
export async function openWorldOfRoutes(options?: WorldOptions): Promise<{ world: World; routes: Route[] }> {
  const routes: Route[] = [];
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }; // documented by Fastify, typed as unknown by Node
    fastify.addHook('onRoute', ({ method, url, config }) => {
      for (const each of [method].flat()) routes.push({ method: each, url, config: { ...config } });
    });
  };
  subscribe('fastify.initialization', watch);
  const world = await openWorld(options).finally(() => unsubscribe('fastify.initialization', watch));
  return { world, routes };
}
