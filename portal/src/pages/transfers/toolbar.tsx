import { Button, TextInput } from '@mantine/core';
import { transferStatuses } from '@portico/sdk/portal';
import { useState } from 'react';
import { FilterSelect } from '../../list/filter-select.tsx';
import { useDraft } from '../../list/use-draft.ts';
import type { List } from '../../list/use-list.ts';
import { type Filter, isCurrency, isDay, type SortField } from './list.ts';
import classes from './toolbar.module.css';

type FilterProps = { value: string | undefined; onChange(value: string | undefined): void };

/** Filters as soon as the code is whole. */
function CurrencyFilter({ value = '', onChange }: FilterProps) {
  const [draft, setDraft] = useDraft(value);
  const [isLeft, setIsLeft] = useState(false);
  const change = (text: string) => {
    const code = text.replace(/[^a-z]/gi, '').toUpperCase();
    setDraft(code);
    if (code !== value && (code === '' || isCurrency(code))) onChange(code || undefined);
  };
  const isPart = isLeft && draft !== '' && !isCurrency(draft);
  return (
    <TextInput
      className={classes['currency'] ?? ''}
      label="Currency"
      placeholder="All"
      maxLength={3}
      autoComplete="off"
      spellCheck={false}
      value={draft}
      error={isPart ? '3 letters' : undefined}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      onFocus={() => setIsLeft(false)}
      onBlur={() => setIsLeft(true)}
    />
  );
}

type DayProps = FilterProps & { label: string; meaning: string; error?: string | undefined };

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

export function Toolbar({ list }: { list: List<SortField, Filter> }) {
  const { status, currency, from, to } = list.state.filters;
  const isBackwards = from !== undefined && to !== undefined && from > to;
  const set = (name: Filter) => (value: string | undefined) => list.setFilter(name, value);
  return (
    <>
      <FilterSelect label="Status" value={status} onChange={set('status')} options={transferStatuses} />
      <CurrencyFilter value={currency} onChange={set('currency')} />
      <DayFilter label="Created from" meaning="00:00 UTC" value={from} onChange={set('from')} />
      <DayFilter
        label="Created to"
        meaning="end of day, UTC"
        value={to}
        onChange={set('to')}
        error={isBackwards ? 'Before the first day' : undefined}
      />
      {Object.keys(list.state.filters).length === 0 ? null : (
        <Button variant="subtle" onClick={list.clearFilters}>
          Clear filters
        </Button>
      )}
    </>
  );
}
