import { Button, Paper } from '@mantine/core';
import { IconFileSearch } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { listWords } from '../words/list.ts';
import { type Column, ListTable } from './list-table.tsx';
import { ListTools } from './list-tools.tsx';
import classes from './list-view.module.css';
import { Pager } from './pager.tsx';
import type { CsvSource } from './use-csv.ts';
import type { List } from './use-list.ts';
import type { PageResult } from './use-page-query.ts';

type Props<Item, Field extends string, Filter extends string> = {
  /** What is listed, such as "Files". */
  label: string;
  list: List<Field, Filter>;
  result: PageResult<Item>;
  columns: readonly Column<Item, Field>[];
  rowKey(item: Item): string;
  onOpen?: (item: Item) => void;
  /** Filters and buttons above the table. */
  toolbar?: ReactNode;
  /** When there is nothing even without filters. */
  empty: ReactNode;
  /** What a row is as a line of a file; absent: the list cannot be saved. */
  csv?: CsvSource<Item>;
  /** Opens a record by its id; absent: it has none that people know. */
  openById?: (id: string) => void;
};

function NothingHere<Field extends string, Filter extends string>(props: {
  list: List<Field, Filter>;
  total: number;
  empty: ReactNode;
}) {
  const { list, total, empty } = props;
  if (total > 0)
    return (
      <EmptyState
        icon={<IconFileSearch size={24} />}
        title={listWords.pastTheEnd}
        action={
          <Button variant="default" onClick={() => list.setPage(Math.ceil(total / list.state.size))}>
            {listWords.goToLast}
          </Button>
        }
      />
    );
  if (Object.keys(list.state.filters).length === 0) return empty;
  return (
    <EmptyState
      icon={<IconFileSearch size={24} />}
      title={listWords.nothingMatches}
      action={
        <Button variant="default" onClick={list.clearFilters}>
          {listWords.clearFilters}
        </Button>
      }
    />
  );
}

/** A new page begins at its top, and so does what is said of it. */
function useTop() {
  const card = useRef<HTMLDivElement>(null);
  const show = () => {
    if ((card.current?.getBoundingClientRect().top ?? 0) < 0) card.current?.scrollIntoView();
  };
  return { card, show };
}

/** A whole list: toolbar, rows, pages, and what is shown when there are none, or when something went wrong. */
export function ListView<Item, Field extends string, Filter extends string>(
  props: Props<Item, Field, Filter>,
) {
  const { label, list, result, columns, rowKey, onOpen, toolbar, empty, csv, openById } = props;
  const { page, error, isFetching, isPrevious, retry } = result;
  const { state, sortBy, setPage, setSize } = list;
  const { card, show } = useTop();
  const isEmpty = page !== undefined && page.content.length === 0;
  return (
    <Paper className={classes['card'] ?? ''} ref={card}>
      {toolbar === undefined ? null : (
        <div className={classes['toolbar']}>
          {toolbar}
          <ListTools
            list={list}
            load={result.load}
            rowKey={rowKey}
            csv={isEmpty ? undefined : csv}
            openById={openById}
          />
        </div>
      )}
      {error === null ? null : (
        <div className={classes['error']}>
          <ErrorNotice error={error} onRetry={retry} isRetrying={isFetching} />
        </div>
      )}
      {isEmpty && !isPrevious ? (
        <NothingHere list={list} total={page.totalElements} empty={empty} />
      ) : error === null || page !== undefined ? (
        <ListTable
          label={label}
          columns={columns}
          items={page?.content}
          rowKey={rowKey}
          {...(onOpen === undefined ? {} : { onOpen })}
          size={state.size}
          isDimmed={isPrevious}
          sort={state.sort}
          sortBy={sortBy}
        />
      ) : null}
      {error !== null && page === undefined ? null : (
        <Pager
          page={state.page}
          size={state.size}
          totals={page}
          setPage={(to) => {
            setPage(to);
            show();
          }}
          setSize={setSize}
        />
      )}
    </Paper>
  );
}
