import { pageStatement, type Shape } from '../server/src/contract/page-statement.ts';
import type { Served } from '../server/src/contract/served.ts';
import { readableSql } from './readable-sql.ts';

/** What is asked most, and what is hardest to serve. */
function shapesOf({ sortable, filterBy, defaultSort }: Served): Record<string, Shape> {
  const filters = Object.keys(filterBy);
  const other = Object.keys(sortable).at(-1) ?? defaultSort.field;
  const usual = [defaultSort];
  const unusual = [{ field: other, direction: 'asc' as const }];
  return {
    'The first page': { sort: usual, filters: [], isFirst: true },
    'Any other page': { sort: usual, filters: [], isFirst: false },
    [`The first page, filtered by ${filters.join(', ')}`]: { sort: usual, filters, isFirst: true },
    'Any other page, filtered by the same': { sort: usual, filters, isFirst: false },
    [`The first page, sorted by ${other}`]: { sort: unusual, filters: [], isFirst: true },
    [`Any other page, sorted by ${other}`]: { sort: unusual, filters: [], isFirst: false },
  };
}

export const statementsFolder = new URL('../docs/statements/', import.meta.url);

export const fileNameOf = (operationId: string) =>
  `${operationId.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.sql`;

/** The statements that a collection generates, as one file. */
export function statementsOf(operationId: string, declared: Served): string {
  const head = `-- What ${operationId} asks the database. :names are parameters. Written by npm run statements.\n`;
  const parts = Object.entries(shapesOf(declared)).map(
    ([title, shape]) =>
      `\n-- ${title}\n${readableSql(pageStatement(declared, declared.place.select, shape))}`,
  );
  return [head, ...parts].join('');
}
