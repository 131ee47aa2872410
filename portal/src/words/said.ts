import { words } from './words.ts';

export const saidWords = words({
  dismiss: ['Dismiss', '关闭'],
});
