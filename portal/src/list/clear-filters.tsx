import { Button } from '@mantine/core';
import { listWords } from '../words/list.ts';
import type { List } from './use-list.ts';

/** Takes back every filter; there while there is one. */
export function ClearFilters<Sort extends string, Filter extends string>({
  list,
}: {
  list: List<Sort, Filter>;
}) {
  if (Object.keys(list.state.filters).length === 0) return null;
  return (
    <Button variant="subtle" onClick={list.clearFilters}>
      {listWords.clearFilters}
    </Button>
  );
}
