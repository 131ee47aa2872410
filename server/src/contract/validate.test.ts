import { expect, it } from 'vitest';
import { defineRule } from './validate.ts';

it('two rules never share a name, as the later one would judge for both', () => {
  defineRule('namedOnce', () => undefined);
  expect(() => defineRule('namedOnce', () => 'must not be')).toThrow('there are two rules called namedOnce');
});
