import type { OwnWorkspace } from '@portico/sdk/portal';
import { ClearFilters } from '../../list/clear-filters.tsx';
import { FilterSelect } from '../../list/filter-select.tsx';
import type { List } from '../../list/use-list.ts';
import { useMe } from '../../session/me.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { filesWords } from '../../words/files.tsx';
import { categoryNames, type FilesFilter, type SortField, statusNames } from './list.ts';

type Props = {
  list: List<SortField, FilesFilter>;
  institution: string;
  workspaces: readonly OwnWorkspace[];
  setInstitution(bizId: string): void;
};

export function Toolbar({ list, institution, workspaces, setInstitution }: Props) {
  const { institutions } = useMe();
  const { category, status, within } = list.state.filters;
  return (
    <>
      <FilterSelect
        label={filesWords.institution}
        all={null}
        value={institution}
        onChange={(bizId) => setInstitution(bizId ?? institution)}
        options={institutions.map(({ bizId, name }) => ({ value: bizId, label: visibleText(name) }))}
      />
      <FilterSelect
        label={filesWords.workspace}
        all={filesWords.allWorkspaces}
        value={within}
        onChange={(value) => list.setFilter('within', value)}
        options={workspaces.map(({ bizId, name }) => ({ value: bizId, label: visibleText(name) }))}
      />
      <FilterSelect
        label={filesWords.category}
        value={category}
        onChange={(value) => list.setFilter('category', value)}
        options={categoryNames}
      />
      <FilterSelect
        label={filesWords.status}
        value={status}
        onChange={(value) => list.setFilter('status', value)}
        options={statusNames}
      />
      <ClearFilters list={list} />
    </>
  );
}
