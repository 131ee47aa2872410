import { ActionIcon, Group, NativeSelect, Skeleton, Text } from '@mantine/core';
import {
  IconChevronLeft,
  IconChevronLeftPipe,
  IconChevronRight,
  IconChevronRightPipe,
} from '@tabler/icons-react';
import { formatCount } from '../ui/format.ts';
import { listWords } from '../words/list.ts';
import classes from './pager.module.css';
import { pageSizes, rangeText } from './url-state.ts';

type Props = {
  page: number;
  size: number;
  /** Undefined while the first page is on its way. */
  totals: { totalElements: number; totalPages: number } | undefined;
  setPage(page: number): void;
  setSize(size: number): void;
};

function Steps({ page, setPage, pages }: Pick<Props, 'page' | 'setPage'> & { pages: number }) {
  const steps = [
    { name: listWords.firstPage, to: 1, Icon: IconChevronLeftPipe, isOff: page <= 1 },
    {
      name: listWords.previousPage,
      to: Math.min(page - 1, Math.max(pages, 1)),
      Icon: IconChevronLeft,
      isOff: page <= 1,
    },
    { name: listWords.nextPage, to: page + 1, Icon: IconChevronRight, isOff: page >= pages },
    { name: listWords.lastPage, to: pages, Icon: IconChevronRightPipe, isOff: page >= pages },
  ];
  return (
    <Group gap={4}>
      {steps.map(({ name, to, Icon, isOff }) => (
        <ActionIcon
          key={name}
          variant="default"
          size="lg"
          aria-label={name}
          disabled={isOff}
          onClick={() => setPage(to)}
        >
          <Icon size={18} />
        </ActionIcon>
      ))}
    </Group>
  );
}

/** Below a list: where one is, how much there is, and the way on. */
export function Pager({ page, size, totals, setPage, setSize }: Props) {
  const pages = totals?.totalPages ?? 1;
  return (
    <nav className={classes['pager']} aria-label={listWords.pages}>
      {totals === undefined ? (
        <Skeleton height={14} width={120} />
      ) : (
        <Text size="sm" role="status">
          {rangeText(page, size, totals.totalElements)}
        </Text>
      )}
      <Group gap="sm" ml="auto">
        <NativeSelect
          aria-label={listWords.rowsPerPage}
          value={String(size)}
          onChange={({ currentTarget }) => setSize(Number(currentTarget.value))}
          data={pageSizes.map((each) => ({ value: String(each), label: listWords.rows(each) }))}
        />
        <Text size="sm" c="dimmed" className={classes['where'] ?? ''}>
          {listWords.pageOf(formatCount(page), formatCount(Math.max(pages, 1)))}
        </Text>
        <Steps page={page} setPage={setPage} pages={pages} />
      </Group>
    </nav>
  );
}
