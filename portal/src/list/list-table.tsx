import { Box, Skeleton, Table, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { type ReactNode, useId, useRef } from 'react';
import { listWords } from '../words/list.ts';
import classes from './list-table.module.css';
import type { Sort } from './url-state.ts';
import { useIsWide } from './use-is-wide.ts';
import { useRovingRows } from './use-roving-rows.ts';

export type Column<Item, Field extends string> = {
  header: string;
  /** The field that clicking the header sorts by. */
  sort?: Field;
  render(item: Item): ReactNode;
  align?: 'right';
  /** Hidden on screens narrower than this. */
  from?: 'sm' | 'md' | 'lg' | 'xl';
  /** Where the column is hidden, it stands below the first one instead, by its name. */
  folds?: boolean;
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

const foldingOf = <Item, Field extends string>(columns: readonly Column<Item, Field>[]) =>
  columns.filter(({ folds, from }) => folds === true && from !== undefined);

type FoldedProps<Item, Field extends string> = {
  columns: readonly Column<Item, Field>[];
  render(column: Column<Item, Field>): ReactNode;
};

/** The second line of a row: what its columns would show if there were room. */
function Folded<Item, Field extends string>({ columns, render }: FoldedProps<Item, Field>) {
  const folding = foldingOf(columns);
  if (folding.length === 0) return null;
  return (
    <div className={classes['folded']}>
      {folding.map((column) => (
        <span key={column.header} className={classes['fold']} data-below={column.from}>
          <span className={classes['foldName']}>{column.header}</span> {render(column)}
        </span>
      ))}
    </div>
  );
}

function Placeholders<Item, Field extends string>({
  columns,
  size,
}: Pick<Props<Item, Field>, 'columns' | 'size'>) {
  const bar = (width = 96) => <Skeleton height={12} width={width} className={classes['placeholder']} />;
  return Array.from({ length: size }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are all alike
    <Table.Tr key={row} aria-hidden>
      {columns.map((column, at) => (
        <Table.Td key={column.header} {...cellProps(column)}>
          {bar(column.width)}
          {at === 0 ? <Folded columns={columns} render={({ width }) => bar(width)} /> : null}
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}

type RowProps<Item, Field extends string> = Pick<Props<Item, Field>, 'columns' | 'onOpen'> & { item: Item };

function Row<Item, Field extends string>({ columns, item, onOpen }: RowProps<Item, Field>) {
  return (
    <Table.Tr
      data-opens={onOpen !== undefined || undefined}
      onClick={onOpen === undefined ? undefined : () => onOpen(item)}
    >
      {columns.map((column, at) => (
        <Table.Td key={column.header} {...cellProps(column)}>
          {column.render(item)}
          {at === 0 ? <Folded columns={columns} render={(folded) => folded.render(item)} /> : null}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

/** The rows of a list: sortable headers that stay in sight, placeholders of the final height, and columns that give way on narrow screens. */
export function ListTable<Item, Field extends string>(props: Props<Item, Field>) {
  const { label, columns, items, rowKey, onOpen, size, isDimmed, sort, sortBy } = props;
  const scroll = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const isWide = useIsWide(scroll);
  const hint = useId();
  return (
    <Box
      className={classes['scroll']}
      ref={scroll}
      role="region"
      aria-label={label}
      data-wide={isWide || undefined}
      tabIndex={isWide ? 0 : undefined}
    >
      <Table
        className={classes['table'] ?? ''}
        data-dimmed={isDimmed || undefined}
        aria-busy={items === undefined}
        aria-describedby={hint}
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
        <Table.Tbody ref={body} {...useRovingRows(body)}>
          {items === undefined ? <Placeholders columns={columns} size={size} /> : null}
          {items?.map((item) => (
            <Row
              key={rowKey(item)}
              columns={columns}
              item={item}
              {...(onOpen === undefined ? {} : { onOpen })}
            />
          ))}
        </Table.Tbody>
      </Table>
      <VisuallyHidden id={hint}>{listWords.arrows}</VisuallyHidden>
    </Box>
  );
}
