import { useCallback, useId } from 'react';
import { useSearchParams } from 'wouter';
import { overviewWords as words } from '../../words/overview.tsx';
import classes from './span.module.css';

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
  const name = useId();
  return (
    <fieldset className={classes['span']}>
      <legend className={classes['legend']}>{words.span}</legend>
      {spans.map((each) => (
        <label key={each} className={classes['choice']}>
          <input
            type="radio"
            className={classes['radio']}
            name={name}
            value={each}
            checked={each === days}
            onChange={() => onChange(each)}
          />
          {words.days(each)}
        </label>
      ))}
    </fieldset>
  );
}
