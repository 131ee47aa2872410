import { NativeSelect } from '@mantine/core';
import { formatName } from '../ui/format.ts';
import { listWords } from '../words/list.ts';
import classes from './filter-select.module.css';

type Option = { value: string; label: string };
type Props = {
  label: string;
  value: string | undefined;
  /** Codes, shown in words; or options of one's own. */
  options: readonly (string | Option)[];
  onChange(value: string | undefined): void;
  /** The choice of no filter; null: there is always one. */
  all?: string | null;
};

const optionOf = (option: string | Option) =>
  typeof option === 'string' ? { value: option, label: formatName(option) } : option;

export function FilterSelect({ label, value, options, onChange, all = listWords.all }: Props) {
  const none = all === null ? [] : [{ value: '', label: all }];
  return (
    <NativeSelect
      className={classes['select'] ?? ''}
      label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
      data={[...none, ...options.map(optionOf)]}
    />
  );
}
