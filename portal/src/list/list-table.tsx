import { Box, Skeleton, Table, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './list-table.module.css';
import type { Sort } from './url-state.ts';

export type Column<Item, Field extends string> = {
  header: string;
  /** The field that clicking the header sorts by. */
  sort?: Field;
  render(item: Item): ReactNode;
  align?: 'right';
  /** Hidden on screens narrower than this. */
  from?: 'sm' | 'md' | 'lg' | 'xl';
  /** Of the placeholder while loading, in pixels. */
  width?: number;
};

type Sorting<Field extends string> = { sort: Sort<Field>; sortBy(field: Field): void };

type Props<Item, Field extends string> = Sorting<Field> & {
  /** What the table lists; its accessible name. */
  label: string;
  columns: readonly Column<Item, Field>[];
  /** Undefined while the first page is on its way. */
  items: readonly Item[] | undefined;
  rowKey(item: Item): string;
  /** A click anywhere on the row; for keyboards, give the first column a button. */
  onOpen?: (item: Item) => void;
  /** How many placeholders to show. */
  size: number;
  isDimmed?: boolean;
};

type AnyColumn = Pick<Column<never, string>, 'align' | 'from'>;
const cellProps = ({ align, from }: AnyColumn) => ({ 'data-align': align, 'data-from': from });

function HeaderCell<Item, Field extends string>(props: { column: Column<Item, Field> } & Sorting<Field>) {
  const { column, sort, sortBy } = props;
  const field = column.sort;
  if (field === undefined)
    return (
      <Table.Th scope="col" {...cellProps(column)}>
        {column.header}
      </Table.Th>
    );
  const isSorted = sort.field === field;
  const Icon = !isSorted ? IconArrowsSort : sort.direction === 'asc' ? IconArrowUp : IconArrowDown;
  const order = sort.direction === 'asc' ? 'ascending' : 'descending';
  return (
    <Table.Th scope="col" aria-sort={isSorted ? order : 'none'} {...cellProps(column)}>
      <UnstyledButton
        className={classes['sort']}
        data-sorted={isSorted || undefined}
        onClick={() => sortBy(field)}
      >
        {column.header}
        <Icon size={14} aria-hidden />
      </UnstyledButton>
    </Table.Th>
  );
}

function Placeholders<Item, Field extends string>({
  columns,
  size,
}: Pick<Props<Item, Field>, 'columns' | 'size'>) {
  return Array.from({ length: size }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are all alike
    <Table.Tr key={row} aria-hidden>
      {columns.map((column) => (
        <Table.Td key={column.header} {...cellProps(column)}>
          <Skeleton height={12} width={column.width ?? 96} className={classes['placeholder']} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}

/** The rows of a list: sortable headers, placeholders of the final height, and columns that give way on narrow screens. */
export function ListTable<Item, Field extends string>(props: Props<Item, Field>) {
  const { label, columns, items, rowKey, onOpen, size, isDimmed, sort, sortBy } = props;
  return (
    <Box className={classes['scroll']} role="region" aria-label={label} tabIndex={0}>
      <Table
        className={classes['table'] ?? ''}
        data-dimmed={isDimmed || undefined}
        aria-busy={items === undefined}
      >
        <Table.Caption>
          <VisuallyHidden>{label}</VisuallyHidden>
        </Table.Caption>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <HeaderCell key={column.header} column={column} sort={sort} sortBy={sortBy} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items === undefined ? <Placeholders columns={columns} size={size} /> : null}
          {items?.map((item) => (
            <Table.Tr
              key={rowKey(item)}
              data-opens={onOpen !== undefined || undefined}
              onClick={onOpen === undefined ? undefined : () => onOpen(item)}
            >
              {columns.map((column) => (
                <Table.Td key={column.header} {...cellProps(column)}>
                  {column.render(item)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}
