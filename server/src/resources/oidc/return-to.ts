import { Type } from 'typebox';
import { defineRule } from '../../contract/validate.ts';

/**
 * Pages of the portal have plain names: no dots to climb by, nothing escaped, no second slash. A query may hold what a URL may, and
 * goes to the page alone.
 */
const pageShape = /^\/(?:[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+)*)?(?:\?[A-Za-z0-9\-._~!$&'()*+,;=:@/?%]*)?$/;

const rule = defineRule('pageOfPortal', (value) =>
  pageShape.test(value) ? undefined : 'must be a path of the portal, such as /files?page=2',
);

/** A page of the portal, without the base path. */
export const ReturnTo = Type.String({
  ...rule,
  maxLength: 512,
  description: 'Page of the portal to show afterwards: its path, without the base path, and its query.',
  examples: ['/files?page=2'],
});
