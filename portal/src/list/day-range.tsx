import { NativeSelect, TextInput } from '@mantine/core';
import { dayWords } from '../words/list.ts';
import classes from './day-range.module.css';
import { type Days, daysOf, isDay, periodOf, periods } from './days.ts';
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

type PeriodProps = { label: string; days: Days; setDays(days: Days): void };

/** The days that are asked for most, with one choice. */
function PeriodFilter({ label, days, setDays }: PeriodProps) {
  const now = Date.now();
  const isAny = days.from === undefined && days.to === undefined;
  const period = isAny ? '' : (periodOf(days, now) ?? 'custom');
  const choose = (value: string) => {
    const chosen = periods.find((each) => each === value);
    if (value === '') setDays({ from: undefined, to: undefined });
    else if (chosen !== undefined) setDays(daysOf(chosen, now));
  };
  return (
    <NativeSelect
      className={classes['period'] ?? ''}
      label={label}
      value={period}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
      data={[
        { value: '', label: dayWords.anyTime },
        ...periods.map((each) => ({ value: each, label: dayWords[each] })),
        ...(period === 'custom' ? [{ value: 'custom', label: dayWords.custom }] : []),
      ]}
    />
  );
}

type Props = {
  /** What happened on these days, such as "Created". */
  label: string;
  /** The list whose filters `from` and `to` they are. */
  list: { state: { filters: Days }; setFilters(days: Days): void };
};

/** The filters of a first and a last day. */
export function DayRange({ label, list }: Props) {
  const { from, to } = list.state.filters;
  const isBackwards = from !== undefined && to !== undefined && from > to;
  return (
    <>
      <PeriodFilter label={label} days={{ from, to }} setDays={list.setFilters} />
      <DayFilter
        label={dayWords.from(label)}
        meaning={dayWords.startOfDay}
        value={from}
        onChange={(day) => list.setFilters({ from: day })}
      />
      <DayFilter
        label={dayWords.to(label)}
        meaning={dayWords.endOfDay}
        value={to}
        onChange={(day) => list.setFilters({ to: day })}
        error={isBackwards ? dayWords.backwards : undefined}
      />
    </>
  );
}
