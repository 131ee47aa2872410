import { type TSchema, Type } from 'typebox';
import { type FieldError, invalidFields } from './api-error.ts';
import type { RawQuery } from './query.ts';

export const pageDefaults = { page: 0, size: 20, sizeMax: 100, sortsMax: 5 };

/** What is answered when one of the three cannot be read. */
export const pageErrors = ['VALIDATION.INVALID_PARAMETER'] as const;

export type Direction = 'asc' | 'desc';
export type Sort = { field: string; direction: Direction };
export type PageShape = 'flat' | 'nested';

/** page has no upper bound, so it is a bigint from the first digit to the echo. */
export type PageRequest = { page: bigint; size: number; sort: readonly Sort[] };

const counts = {
  size: Type.Integer({ description: 'Page size used.', examples: [pageDefaults.size] }),
  number: Type.Integer({ description: 'Zero-based number of this page.', examples: [0] }),
  totalElements: Type.Integer({ description: 'Exact number of elements on all pages.', examples: [1] }),
  totalPages: Type.Integer({ description: 'ceil(totalElements / size).', examples: [1] }),
};

export function Page<Item extends TSchema>(item: Item, shape: PageShape) {
  const content = Type.Array(item);
  return shape === 'flat'
    ? Type.Object({ content, ...counts })
    : Type.Object({ content, page: Type.Object(counts) });
}

/** What is wrong with each of the three, so that all of it is told at once. */
type Refuse = (field: 'page' | 'size' | 'sort', message: string) => void;

function readInteger(query: RawQuery, field: 'page' | 'size', minimum: bigint, refuse: Refuse): bigint {
  const raw = query[field];
  if (raw !== undefined && !Array.isArray(raw) && /^-?[0-9]+$/.test(raw)) {
    const value = BigInt(raw);
    if (value < minimum) refuse(field, `must be ${minimum} or greater`);
    return value;
  }
  if (Array.isArray(raw)) refuse(field, 'must be given once');
  else if (raw !== undefined && raw.trim() !== '') refuse(field, 'must be an integer');
  return BigInt(pageDefaults[field]);
}

function readSort(raw: string, sortable: readonly string[], refuse: Refuse): Sort {
  const [field = '', direction = '', ...rest] = raw.split(',');
  const wanted = direction.toLowerCase() === 'desc' ? 'desc' : 'asc';
  if (rest.length > 0 || direction.toLowerCase() !== wanted)
    refuse('sort', 'must have the form field,direction with direction asc or desc');
  else if (!sortable.includes(field)) refuse('sort', `field must be one of ${sortable.join(', ')}`);
  return { field, direction: wanted };
}

function readSorts(raw: RawQuery[string], sortable: readonly string[], refuse: Refuse): Sort[] {
  const given = (Array.isArray(raw) ? raw : [raw ?? '']).filter((text) => text.trim() !== '');
  if (given.length > pageDefaults.sortsMax) {
    refuse('sort', `may be given at most ${pageDefaults.sortsMax} times`);
    return [];
  }
  return given.map((text) => readSort(text, sortable, refuse));
}

export function readPageRequest(
  query: RawQuery,
  sortable: readonly string[],
  defaultSort: Sort,
): PageRequest {
  const errors: FieldError[] = [];
  const refuse: Refuse = (field, message) => {
    const isKnown = errors.some((error) => error.field === field && error.message === message);
    if (!isKnown) errors.push({ field, message });
  };
  const page = readInteger(query, 'page', 0n, refuse);
  const size = readInteger(query, 'size', 1n, refuse);
  const sort = readSorts(query['sort'], sortable, refuse);
  if (errors.length > 0) throw invalidFields(pageErrors[0], errors);
  const sizeMax = BigInt(pageDefaults.sizeMax);
  return {
    page,
    size: Number(size > sizeMax ? sizeMax : size),
    sort: sort.length > 0 ? sort : [defaultSort],
  };
}

function totalPages(total: number, size: number): number {
  return Math.ceil(total / size);
}

/** A page as JSON, around content that is JSON already. */
export function pageText(shape: PageShape, content: string, total: number, request: PageRequest): string {
  const { size, page } = request;
  const meta = `"size":${size},"number":${page},"totalElements":${total},"totalPages":${totalPages(total, size)}`;
  return shape === 'flat' ? `{"content":${content},${meta}}` : `{"content":${content},"page":{${meta}}}`;
}

/** RFC 8288. Only parameters that were understood are repeated, so the header stays short. */
export function linkHeader(
  path: string,
  kept: readonly [string, string][],
  request: PageRequest,
  total: number,
): string {
  const last = BigInt(Math.max(totalPages(total, request.size) - 1, 0));
  const rest = kept.length === 0 ? '' : `&${new URLSearchParams([...kept])}`;
  const link = (rel: string, page: bigint) =>
    `<${path}?page=${page}&size=${request.size}${rest}>; rel="${rel}"`;
  const links = [link('first', 0n)];
  if (request.page > 0n) links.push(link('prev', request.page > last ? last : request.page - 1n));
  if (request.page < last) links.push(link('next', request.page + 1n));
  links.push(link('last', last));
  return links.join(', ');
}

export function pageQuery(sortable: readonly string[], defaultSort: Sort) {
  return Type.Object({
    page: Type.Optional(
      Type.Integer({
        minimum: 0,
        default: pageDefaults.page,
        description: 'Zero-based page number; no upper bound.',
      }),
    ),
    size: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: pageDefaults.size,
        description: `Page size; above ${pageDefaults.sizeMax} is ${pageDefaults.sizeMax}.`,
      }),
    ),
    sort: Type.Optional(
      Type.Array(Type.String({ enum: sortable.flatMap((field) => [`${field},asc`, `${field},desc`]) }), {
        maxItems: pageDefaults.sortsMax,
        default: [`${defaultSort.field},${defaultSort.direction}`],
        description: `Field and direction. Repeat it for tie-breaks: \`sort=a,asc&sort=b,desc\`. Sortable: ${sortable.join(', ')}.`,
        examples: [[`${defaultSort.field},${defaultSort.direction}`]],
      }),
    ),
  });
}
