import type { PageQuery } from '@portico/sdk/portal';
import { CsvButton } from './csv-button.tsx';
import classes from './list-tools.module.css';
import { OpenById } from './open-by-id.tsx';
import { SavedViews } from './saved-views.tsx';
import type { CsvSource } from './use-csv.ts';
import type { LoadPage } from './use-page-query.ts';

type Props<Item> = {
  list: { query: PageQuery };
  load: LoadPage<Item>;
  rowKey(item: Item): string;
  csv: CsvSource<Item> | undefined;
  openById: ((id: string) => void) | undefined;
};

/** What every list offers beside its own filters. */
export function ListTools<Item>({ list, load, rowKey, csv, openById }: Props<Item>) {
  return (
    <>
      {openById === undefined ? null : <OpenById open={openById} />}
      <div className={classes['tools']}>
        <SavedViews />
        {csv === undefined ? null : (
          <CsvButton start={(begin) => begin({ ...csv, load, rowKey, query: list.query })} />
        )}
      </div>
    </>
  );
}
