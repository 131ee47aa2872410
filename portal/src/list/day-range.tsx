import { TextInput } from '@mantine/core';
import classes from './day-range.module.css';
import { isDay } from './days.ts';
import { useDraft } from './use-draft.ts';

type DayProps = {
  label: string;
  meaning: string;
  value: string | undefined;
  onChange(value: string | undefined): void;
  error?: string | undefined;
};

/** A day of UTC, whatever the time zone of the reader. */
function DayFilter({ label, meaning, value = '', onChange, error }: DayProps) {
  const [draft, setDraft] = useDraft(value);
  const change = ({ value: text, validity }: HTMLInputElement) => {
    setDraft(text);
    const isWhole = isDay(text) || (text === '' && !validity.badInput);
    if (isWhole && text !== value) onChange(text || undefined);
  };
  return (
    <TextInput
      className={classes['day'] ?? ''}
      type="date"
      label={
        <>
          {label} <span className={classes['meaning']}>{meaning}</span>
        </>
      }
      min="1970-01-01"
      max="2999-12-31"
      value={draft}
      error={error}
      onChange={({ currentTarget }) => change(currentTarget)}
    />
  );
}

type Props = {
  /** What happened on these days, such as "Created". */
  label: string;
  from: string | undefined;
  to: string | undefined;
  set(name: 'from' | 'to'): (value: string | undefined) => void;
};

/** The filters of a first and a last day. */
export function DayRange({ label, from, to, set }: Props) {
  const isBackwards = from !== undefined && to !== undefined && from > to;
  return (
    <>
      <DayFilter label={`${label} from`} meaning="00:00 UTC" value={from} onChange={set('from')} />
      <DayFilter
        label={`${label} to`}
        meaning="end of day, UTC"
        value={to}
        onChange={set('to')}
        error={isBackwards ? 'Before the first day' : undefined}
      />
    </>
  );
}
