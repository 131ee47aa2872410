import { ClearFilters } from './clear-filters.tsx';
import { FilterSelect } from './filter-select.tsx';
import type { List } from './use-list.ts';

type Props<Name extends string> = {
  list: List<string, Name>;
  name: Name;
  label: string;
  options: readonly string[];
};

/** The toolbar of a list that has one filter. */
export function OneFilter<Name extends string>({ list, name, label, options }: Props<Name>) {
  return (
    <>
      <FilterSelect
        label={label}
        value={list.state.filters[name]}
        onChange={(to) => list.setFilter(name, to)}
        options={options}
      />
      <ClearFilters list={list} />
    </>
  );
}
