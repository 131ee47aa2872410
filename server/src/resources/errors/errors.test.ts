import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openWorld, portalCall, signIn } from '../../../test/world.ts';
import { entryOf, errorCodes } from '../../contract/catalogue.ts';

const docs = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');

describe('the catalogue of errors', () => {
  it('is the same in the code, in docs/errors.md and at GET /web/v1/errors', async () => {
    const world = await openWorld();
    const response = await portalCall(world, await signIn(world), { method: 'GET', url: '/web/v1/errors' });
    await world.close();
    const served: string[] = response
      .json()
      .data.errors.map(
        ({ code, httpStatus, name, alias, description }: Record<string, string>) =>
          `| \`${code}\` | ${httpStatus} | ${name} | ${alias ? `\`${alias}\`` : ''} | ${description} |`,
      );
    expect(served).toHaveLength(errorCodes.length);
    expect(docs.split('\n').filter((line) => line.startsWith('| `'))).toEqual(served);
  });

  it('derives each numeric code from its HTTP status', () => {
    for (const code of errorCodes.filter((text) => /^\d+$/.test(text))) {
      expect(Math.floor(Number(code) / 10)).toBe(entryOf(code).status);
    }
  });

  it('knows the invalid-parameter error by both names', () => {
    expect(entryOf('VALIDATION.INVALID_PARAMETER')).toMatchObject({
      status: 400,
      alias: 'S012',
      name: 'INVALID_PARAMETER',
    });
  });
});
