import { useId } from 'react';
import classes from './segments.module.css';

type Props<Value extends string | number> = {
  legend: string;
  choices: readonly { value: Value; label: string }[];
  value: Value;
  onChange(value: Value): void;
};

/** One of a few, all in sight. */
export function Segments<Value extends string | number>({ legend, choices, value, onChange }: Props<Value>) {
  const name = useId();
  return (
    <fieldset className={classes['segments']}>
      <legend className={classes['legend']}>{legend}</legend>
      {choices.map((each) => (
        <label key={each.value} className={classes['choice']} data-choice={each.value}>
          <input
            className={classes['radio']}
            type="radio"
            name={name}
            value={each.value}
            checked={each.value === value}
            onChange={() => onChange(each.value)}
          />
          {each.label}
        </label>
      ))}
    </fieldset>
  );
}
