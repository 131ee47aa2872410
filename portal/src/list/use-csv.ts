import { type PageQuery, RateLimitError } from '@portico/sdk/portal';
import { useCallback, useEffect, useRef, useState } from 'react';
import { awayMs, isServerAway } from '../ui/error-text.ts';
import { saveFile } from '../ui/save-file.ts';
import { csvParts } from './csv.ts';
import type { LoadPage } from './use-page-query.ts';

export type CsvSource<Item> = {
  /** Of the file, before the day. */
  name: string;
  fields: readonly (keyof Item & string)[];
};

/** With what the list itself knows: its rows, their order, and how they are told apart. */
type Whole<Item> = CsvSource<Item> & { rowKey(item: Item): string; query: PageQuery; load: LoadPage<Item> };

export type CsvState =
  | { is: 'idle' }
  | { is: 'running'; rows: number; total: number; isWaiting: boolean }
  | { is: 'done'; rows: number }
  | { is: 'cancelled' }
  | { is: 'failed'; error: unknown };

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Asks until there is an answer: hundreds of pages are not lost to one moment of a busy service. */
async function patient<Result>(
  ask: () => Promise<Result>,
  signal: AbortSignal,
  onWait: () => void,
): Promise<Result> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const isLimited = error instanceof RateLimitError;
      if (signal.aborted || !(isLimited || isServerAway(error))) throw error;
      onWait();
      await pause(isLimited ? (error.retryAfterSeconds ?? 1) * 1000 : awayMs, signal);
      signal.throwIfAborted();
    }
  }
}

async function save<Item>(
  source: Whole<Item>,
  signal: AbortSignal,
  tell: (state: CsvState) => void,
): Promise<void> {
  const { name, fields, rowKey, query: order, load } = source;
  let at = { rows: 0, total: 0 };
  const wait = () => tell({ is: 'running', ...at, isWaiting: true });
  const ask = (query: PageQuery) => patient(() => load({ ...order, ...query }, { signal }), signal, wait);
  // Blobs, which a browser keeps outside of the page's memory.
  const parts: Blob[] = [];
  for await (const { text, rows, total } of csvParts({ fields, rowKey, load: ask })) {
    signal.throwIfAborted();
    parts.push(new Blob([text]));
    at = { rows, total };
    tell({ is: 'running', ...at, isWaiting: false });
  }
  saveFile(`${name}-${new Date().toISOString().slice(0, 10)}.csv`, new Blob(parts, { type: 'text/csv' }));
  tell({ is: 'done', rows: at.rows });
}

/** Saves all rows of a list, one page after the other; leaving the list ends it. */
export function useCsv() {
  const [state, setState] = useState<CsvState>({ is: 'idle' });
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = useCallback(<Item>(source: Whole<Item>) => {
    const controller = new AbortController();
    running.current = controller;
    setState({ is: 'running', rows: 0, total: 0, isWaiting: false });
    save(source, controller.signal, setState).catch((error: unknown) =>
      setState(controller.signal.aborted ? { is: 'cancelled' } : { is: 'failed', error }),
    );
  }, []);
  return { state, start, cancel: useCallback(() => running.current?.abort(), []) };
}
