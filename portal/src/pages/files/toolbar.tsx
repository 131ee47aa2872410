import { Button } from '@mantine/core';
import { FilterSelect } from '../../list/filter-select.tsx';
import type { List } from '../../list/use-list.ts';
import { useMe } from '../../session/me.tsx';
import { categoryNames, type SortField, statusNames } from './list.ts';

type Props = {
  list: List<SortField, 'category' | 'status' | 'within'>;
  institution: string;
  setInstitution(bizId: string): void;
};

export function Toolbar({ list, institution, setInstitution }: Props) {
  const { institutions, workspaces } = useMe();
  const { category, status, within } = list.state.filters;
  const own = workspaces.filter(({ institutionBizId }) => institutionBizId === institution);
  return (
    <>
      <FilterSelect
        label="Institution"
        all={null}
        value={institution}
        onChange={(bizId) => setInstitution(bizId ?? institution)}
        options={institutions.map(({ bizId, name }) => ({ value: bizId, label: name }))}
      />
      <FilterSelect
        label="Workspace"
        all="All workspaces"
        value={within}
        onChange={(value) => list.setFilter('within', value)}
        options={own.map(({ bizId, name }) => ({ value: bizId, label: name }))}
      />
      <FilterSelect
        label="Category"
        value={category}
        onChange={(value) => list.setFilter('category', value)}
        options={categoryNames}
      />
      <FilterSelect
        label="Status"
        value={status}
        onChange={(value) => list.setFilter('status', value)}
        options={statusNames}
      />
      {Object.keys(list.state.filters).length === 0 ? null : (
        <Button variant="subtle" onClick={list.clearFilters}>
          Clear filters
        </Button>
      )}
    </>
  );
}
