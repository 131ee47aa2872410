import { readCount } from './count.ts';
import { wrongUsage } from './failure.ts';

/** Of every command that lists by key. */
export const pageOptions = {
  page: { type: 'string', value: 'N', about: 'page, counted from 0' },
  size: { type: 'string', value: 'N', about: 'how many on a page, default 20' },
  sort: { type: 'string', multiple: true, value: 'FIELD,asc|desc', about: 'order' },
} as const;

type Given = { page?: string; size?: string; sort?: string[] };

export function readPage({ page, size, sort }: Given): { page?: number; size?: number; sort?: string[] } {
  return {
    ...(page === undefined ? {} : { page: readCount('page', page) }),
    ...(size === undefined ? {} : { size: readCount('size', size) }),
    ...(sort === undefined ? {} : { sort }),
  };
}

/** One of a closed list, in capitals or not. */
export function readChoice<Choice extends string>(
  option: string,
  given: string,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((choice) => choice === given.toUpperCase());
  if (found === undefined) throw wrongUsage(`--${option} must be one of ${choices.join(', ')}`);
  return found;
}
