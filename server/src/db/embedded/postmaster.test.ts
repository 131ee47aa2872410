import { describe, expect, it } from 'vitest';
import { bufferMiB } from './postmaster.ts';

const GiB = 2 ** 30;

describe('the buffers of the embedded database', () => {
  it('are a quarter of the memory, but never less than 128 MiB nor more than 2 GiB', () => {
    expect([0.25, 1, 4, 24].map((size) => bufferMiB(size * GiB))).toEqual([128, 256, 1024, 2048]);
  });

  it('are of the memory that this process may use', () => {
    expect(bufferMiB()).toBeGreaterThanOrEqual(128);
    expect(bufferMiB()).toBeLessThanOrEqual(2048);
  });
});
