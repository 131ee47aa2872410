import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorld, portalCall, signIn, type World } from '../../../test/world.ts';

let world: World;
let token: string;
beforeAll(async () => {
  world = await openWorld();
  token = await signIn(world);
});
afterAll(() => world.close());

const list = (body: unknown, query = '') =>
  portalCall(world, token, { url: `/web/v1/files/query/list${query}`, body });

describe('list files', () => {
  it('answers a flat page of file records in the full envelope', async () => {
    const response = await list({ institutionBizId: 'INST_DEMO' });
    expect(response.statusCode).toBe(200);
    const body = response.json();
    expect(Object.keys(body)).toEqual(['version', 'timestamp', 'success', 'code', 'message', 'data']);
    expect(body).toMatchObject({ version: '1.0.0', success: true, code: '2000', message: 'SUCCESS' });
    expect(body.data).toMatchObject({ totalElements: 250, totalPages: 13, size: 20, number: 0 });
  });
});
