import { useCallback } from 'react';
import { useSearchParams } from 'wouter';
import { Segments } from '../../ui/segments.tsx';
import { overviewWords as words } from '../../words/overview.tsx';

const spans = [1, 7, 30] as const;
type Days = (typeof spans)[number];
const usual: Days = 7;

/** How far back the overview looks, by the address. */
export function useDays(): [Days, (days: Days) => void] {
  const [params, setParams] = useSearchParams();
  const days = spans.find((each) => String(each) === params.get('days')) ?? usual;
  const set = useCallback(
    (to: Days) =>
      setParams((old) => {
        const { days: _days, ...others } = Object.fromEntries(old);
        return to === usual ? others : { ...others, days: String(to) };
      }),
    [setParams],
  );
  return [days, set];
}

export function SpanChoice({ days, onChange }: { days: Days; onChange(days: Days): void }) {
  const choices = spans.map((value) => ({ value, label: words.days(value) }));
  return <Segments legend={words.span} choices={choices} value={days} onChange={onChange} />;
}
