import { Button } from '@mantine/core';
import type { Overview } from '@portico/sdk/portal';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { useState } from 'react';
import { formatCount } from '../../ui/format.ts';
import { Section } from '../../ui/section.tsx';
import { overviewWords as words } from '../../words/overview.tsx';
import { CallsChart } from './chart.tsx';
import classes from './overview.module.css';
import { pointText } from './time-text.ts';

/** The same as the chart, in numbers; the newest first. */
function CallsTable({ overview: { series, intervalSeconds } }: { overview: Overview }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of a keyboard
    <section className={classes['scroll']} aria-label={words.chart} tabIndex={0}>
      <table className={classes['table']}>
        <thead>
          <tr>
            <th scope="col">{words.time}</th>
            {[words.passed, words.refused, words.failed].map((name) => (
              <th key={name} scope="col" className={classes['number']}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.toReversed().map(({ at, ok, refused, failed }) => (
            <tr key={at}>
              <th scope="row">{pointText(at, intervalSeconds)}</th>
              <td className={classes['number']}>{formatCount(ok)}</td>
              <td className={classes['number']}>{formatCount(refused)}</td>
              <td className={classes['number']}>{formatCount(failed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function Calls({ overview }: { overview: Overview }) {
  const [isTable, setTable] = useState(false);
  const Icon = isTable ? IconChartBar : IconTable;
  return (
    <Section
      title={words.chart}
      description={words.chartAbout}
      actions={
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon size={14} aria-hidden />}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? words.asChart : words.asTable}
        </Button>
      }
    >
      <div className={classes['body']}>
        {isTable ? <CallsTable overview={overview} /> : <CallsChart overview={overview} />}
      </div>
    </Section>
  );
}
