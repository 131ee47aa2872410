import type { Overview } from '@portico/sdk/portal';
import { formatCount, formatDuration } from '../../ui/format.ts';
import { locale } from '../../words/locale.ts';
import { overviewWords as words } from '../../words/overview.tsx';
import classes from './overview.module.css';

type FigureProps = { name: string; value: string; about: string; tone?: 'refused' | 'failed' };

function Figure({ name, value, about, tone }: FigureProps) {
  return (
    <div className={classes['figure']}>
      <dt>{name}</dt>
      <dd className={classes['value']} data-tone={tone}>
        {value}
      </dd>
      <dd className={classes['share']}>{about}</dd>
    </div>
  );
}

/** What is more than nothing is never said to be nothing. */
function shareText(count: number, calls: number): string {
  const share = calls === 0 ? 0 : count / calls;
  const least = 0.001;
  const format = new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 1 });
  return share > 0 && share < least ? `< ${format.format(least)}` : format.format(share);
}

/** How much, how much of it went wrong, and how fast. */
export function Figures({ overview: { totals, latency } }: { overview: Overview }) {
  const { calls, refused, failed } = totals;
  const share = (count: number) => words.share(shareText(count, calls));
  return (
    <dl className={classes['figures']}>
      <Figure
        name={words.calls}
        value={formatCount(calls)}
        about={`${words.passed} ${formatCount(calls - refused - failed)}`}
      />
      <Figure
        name={words.refused}
        value={formatCount(refused)}
        about={share(refused)}
        {...(refused > 0 ? { tone: 'refused' } : {})}
      />
      <Figure
        name={words.failed}
        value={formatCount(failed)}
        about={share(failed)}
        {...(failed > 0 ? { tone: 'failed' } : {})}
      />
      <Figure
        name={`${words.answered} (${words.p50})`}
        value={latency.p50Ms === null ? '–' : formatDuration(latency.p50Ms)}
        about={latency.p95Ms === null ? words.noTime : words.p95(formatDuration(latency.p95Ms))}
      />
    </dl>
  );
}
