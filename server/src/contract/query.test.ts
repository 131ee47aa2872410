import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { queryOf, UnreadQuery } from './query.ts';

describe('a query', () => {
  it('is left alone until it is asked for, and read once', async () => {
    const app = Fastify({ routerOptions: { querystringParser: (text) => new UnreadQuery(text) } });
    const before: unknown[] = [];
    app.addHook('onRequest', async (request) => {
      before.push(request.query);
    });
    app.get('/', async (request) => {
      const first = queryOf(request);
      return { isSame: queryOf(request) === first, first };
    });
    const url = '/?text=1&size=a&size=b&100%=%zz&%FF=c';
    expect((await app.inject({ url })).json()).toEqual({
      isSame: true,
      first: { text: '1', size: ['a', 'b'], '100%': '%zz', '\uD800': 'c' },
    });
    expect(before).toEqual([new UnreadQuery(url.slice(2))]);
    await app.close();
  });
});
