import { Drawer, Skeleton } from '@mantine/core';
import { InvalidInputError, NotFoundError } from '@portico/sdk/portal';
import { IconFileSearch } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { returnFocus } from '../ui/focus.ts';
import { listWords } from '../words/list.ts';
import type { RecordResult } from './use-record.ts';

type Props<Found> = {
  /** What is shown, within a sentence, such as "file". */
  noun: string;
  result: RecordResult<Found>;
  title(record: Found): ReactNode;
  children(record: Found): ReactNode;
  size?: number;
  /** A dialog lies over it, and Escape and Tab are its own. */
  isCovered?: boolean;
  onClose(): void;
};

/** An address is written by anybody: what can be no id is not there either. */
const isNotThere = (error: unknown) => error instanceof NotFoundError || error instanceof InvalidInputError;

type TroubleProps = { noun: string; result: Pick<RecordResult<unknown>, 'error' | 'isFetching' | 'retry'> };

/** What stands where a record is not, or not yet. */
export function RecordTrouble({ noun, result }: TroubleProps) {
  const { error, retry, isFetching } = result;
  if (error === null) return <Skeleton height={420} />;
  if (!isNotThere(error)) return <ErrorNotice error={error} onRetry={retry} isRetrying={isFetching} />;
  return (
    <div role="alert">
      <EmptyState icon={<IconFileSearch size={24} />} title={listWords.noSuch(noun)}>
        {listWords.noSuchWhy}
      </EmptyState>
    </div>
  );
}

/** The focus goes back to what opened the drawer, however it was closed. */
function useFocusBack(isOpen: boolean): void {
  const opener = useRef<HTMLElement | null>(null);
  useEffect(() => {
    if (!isOpen) return;
    opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    return () => returnFocus(opener.current);
  }, [isOpen]);
}

const capitalised = (noun: string) => `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;

/** One record beside its list, by an address of its own. */
export function RecordDrawer<Found>(props: Props<Found>) {
  const { noun, result, title, children, size = 520, isCovered = false, onClose } = props;
  const { id, record } = result;
  const isOpen = id !== undefined;
  useFocusBack(isOpen);
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size={size}
      title={record === undefined ? capitalised(noun) : title(record)}
      closeButtonProps={{ 'aria-label': listWords.close }}
      closeOnEscape={!isCovered}
      trapFocus={!isCovered}
      returnFocus={false}
    >
      {!isOpen ? null : record === undefined ? (
        <RecordTrouble noun={noun} result={result} />
      ) : (
        <div key={id}>{children(record)}</div>
      )}
    </Drawer>
  );
}
