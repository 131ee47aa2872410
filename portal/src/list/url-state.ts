import { formatCount } from '../ui/format.ts';
import { listWords } from '../words/list.ts';

type Direction = 'asc' | 'desc';
export type Sort<Field extends string> = { field: Field; direction: Direction };

/** What the address may say about a list. Whatever else it says is ignored. */
export type ListDefinition<Field extends string, Filter extends string> = {
  sortable: readonly Field[];
  defaultSort: Sort<Field>;
  /** The values a filter may have, or a test of them. */
  filters: { readonly [Name in Filter]: readonly string[] | ((value: string) => boolean) };
};

export type ListState<Field extends string, Filter extends string> = {
  /** From 1, as people count. */
  page: number;
  size: number;
  sort: Sort<Field>;
  filters: { [Name in Filter]?: string };
};

export const pageSizes = [10, 20, 50, 100] as const;
export const defaultSize = 20;

export function defineList<Field extends string, Filter extends string = never>(
  definition: ListDefinition<Field, Filter>,
): ListDefinition<Field, Filter> {
  return definition;
}

function readSort<Field extends string>(
  text: string | null,
  { sortable, defaultSort }: Pick<ListDefinition<Field, never>, 'sortable' | 'defaultSort'>,
): Sort<Field> {
  const [name, direction] = (text ?? '').split(',');
  const field = sortable.find((each) => each === name);
  if (field === undefined || (direction !== 'asc' && direction !== 'desc')) return defaultSort;
  return { field, direction };
}

function isAllowed(allowed: readonly string[] | ((value: string) => boolean), value: string): boolean {
  return typeof allowed === 'function' ? allowed(value) : allowed.includes(value);
}

export function readListState<Field extends string, Filter extends string>(
  definition: ListDefinition<Field, Filter>,
  params: URLSearchParams,
): ListState<Field, Filter> {
  const page = params.get('page') ?? '';
  const size = Number(params.get('size'));
  const filters: { [Name in Filter]?: string } = {};
  for (const name of Object.keys(definition.filters) as Filter[]) {
    // Object.keys forgets the names
    const value = params.get(name);
    if (value !== null && isAllowed(definition.filters[name], value)) filters[name] = value;
  }
  return {
    page: /^[1-9][0-9]{0,8}$/.test(page) ? Number(page) : 1,
    size: pageSizes.find((each) => each === size) ?? defaultSize,
    sort: readSort(params.get('sort'), definition),
    filters,
  };
}

/** What is as usual is left out of the address; what is not of the list stays in it. */
export function writeListState<Field extends string, Filter extends string>(
  definition: ListDefinition<Field, Filter>,
  state: ListState<Field, Filter>,
  params: URLSearchParams,
): URLSearchParams {
  const { field, direction } = state.sort;
  const { defaultSort } = definition;
  const isUsual = field === defaultSort.field && direction === defaultSort.direction;
  const entries: Record<string, string | undefined> = {
    page: state.page === 1 ? undefined : String(state.page),
    size: state.size === defaultSize ? undefined : String(state.size),
    sort: isUsual ? undefined : `${field},${direction}`,
  };
  for (const name of Object.keys(definition.filters) as Filter[]) entries[name] = state.filters[name]; // Object.keys forgets the names
  const written = new URLSearchParams(params);
  for (const [name, value] of Object.entries(entries)) {
    if (value === undefined) written.delete(name);
    else written.set(name, value);
  }
  return written;
}

/** "21–40 of 10,000". */
export function rangeText(page: number, size: number, total: number): string {
  const first = (page - 1) * size + 1;
  if (first > total) return listWords.noneOf(formatCount(total));
  return listWords.rangeOf(formatCount(first), formatCount(Math.min(page * size, total)), formatCount(total));
}
