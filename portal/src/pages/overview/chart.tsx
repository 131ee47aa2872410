import { useElementSize } from '@mantine/hooks';
import type { Overview } from '@portico/sdk/portal';
import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react';
import { formatCount } from '../../ui/format.ts';
import { overviewWords as words } from '../../words/overview.tsx';
import classes from './chart.module.css';
import { labelled, linesOf } from './scale.ts';
import { axisText, labelCandidates, pointText } from './time-text.ts';

type Point = Overview['series'][number];

/** From the bottom of a bar up. */
const parts = ['ok', 'refused', 'failed'] as const;
type Part = (typeof parts)[number];

const height = 240;
const inset = { top: 8, right: 4, bottom: 24, left: 44 };
const bottom = height - inset.bottom;
const labelWidth = 64;

const totalOf = ({ ok, refused, failed }: Point) => ok + refused + failed;

const nameOf = (part: Part) => ({ ok: words.passed, refused: words.refused, failed: words.failed })[part];

/** What is drawn where, for a width. */
function layoutOf(overview: Overview, width: number) {
  const { series } = overview;
  const lines = linesOf(Math.max(0, ...series.map(totalOf)));
  const top = lines.at(-1) ?? 1;
  const slot = (width - inset.left - inset.right) / Math.max(series.length, 1);
  return {
    lines,
    slot,
    bar: Math.max(1, Math.min(slot * 0.72, 40)),
    x: (index: number) => inset.left + index * slot,
    y: (count: number) => bottom - (count / top) * (bottom - inset.top),
    labels: labelled(labelCandidates(overview), slot, labelWidth),
  };
}

type Layout = ReturnType<typeof layoutOf>;

function Bar({
  point,
  index,
  layout,
  hatch,
}: {
  point: Point;
  index: number;
  layout: Layout;
  hatch: string;
}) {
  const { x, y, slot, bar } = layout;
  let below = 0;
  return parts.map((part) => {
    const from = below;
    below += point[part];
    if (point[part] === 0) return null;
    const place = {
      x: x(index) + (slot - bar) / 2,
      y: y(below),
      width: bar,
      // What is there is seen, beside however many others.
      height: Math.max(1.5, y(from) - y(below)),
    };
    return (
      <g key={part}>
        <rect {...place} className={classes['part']} data-part={part} />
        {part === 'failed' ? <rect {...place} fill={`url(#${hatch})`} /> : null}
      </g>
    );
  });
}

function Axes({ overview, layout, width }: { overview: Overview; layout: Layout; width: number }) {
  const { lines, labels, slot, x, y } = layout;
  return (
    <>
      {lines.map((count) => (
        <g key={count}>
          <line className={classes['line']} x1={inset.left} x2={width} y1={y(count)} y2={y(count)} />
          <text className={classes['label']} x={inset.left - 8} y={y(count) + 4} textAnchor="end">
            {compact(count)}
          </text>
        </g>
      ))}
      {labels.map((index) => (
        <text
          key={index}
          className={classes['label']}
          x={Math.min(x(index) + slot / 2, width - 20)}
          y={height - 6}
          textAnchor="middle"
        >
          {axisText(overview.series[index]?.at ?? '', overview.intervalSeconds)}
        </text>
      ))}
    </>
  );
}

/** 12000 → 12K: there is little room beside the lines. */
const compact = (count: number) =>
  count < 10_000
    ? formatCount(count)
    : new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(count);

type DrawingProps = { overview: Overview; width: number; active: number | undefined };

function Drawing({ overview, width, active }: DrawingProps) {
  const hatch = useId();
  const layout = layoutOf(overview, width);
  return (
    <svg width={width} height={height} aria-hidden>
      <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line className={classes['hatch']} x1="0" x2="0" y1="0" y2="6" />
      </pattern>
      {active === undefined ? null : (
        <rect
          className={classes['active']}
          x={layout.x(active)}
          y={inset.top}
          width={layout.slot}
          height={bottom - inset.top}
        />
      )}
      <Axes overview={overview} layout={layout} width={width} />
      {overview.totals.calls > 0 ? null : (
        <text className={classes['none']} x={(inset.left + width) / 2} y={height / 2} textAnchor="middle">
          {words.noCalls}
        </text>
      )}
      {overview.series.map((point, index) => (
        <Bar key={point.at} point={point} index={index} layout={layout} hatch={hatch} />
      ))}
    </svg>
  );
}

/** The colours, and beside each how many: of the chosen point, or else of all. */
function Legend({ overview, active }: { overview: Overview; active: number | undefined }) {
  const { calls, refused, failed } = overview.totals;
  const point = active === undefined ? undefined : overview.series[active];
  const counts = point ?? { ok: calls - refused - failed, refused, failed };
  return (
    <div className={classes['legend']}>
      <span className={classes['when']}>
        {point === undefined ? words.days(daysOf(overview)) : pointText(point.at, overview.intervalSeconds)}
      </span>
      {parts.map((part) => (
        <span key={part} className={classes['entry']}>
          <span className={classes['swatch']} data-part={part} />
          {nameOf(part)} <strong>{formatCount(counts[part])}</strong>
        </span>
      ))}
    </div>
  );
}

const daysOf = ({ from, to }: Overview) =>
  Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000));

const steps: Record<string, (at: number, last: number) => number> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  PageUp: (at) => at + 6,
  PageDown: (at) => at - 6,
  Home: () => 0,
  End: (_at, last) => last,
};

/** Which point is chosen, by pointer or by keys. */
function useActive(count: number, width: number) {
  const [active, setActive] = useState<number>();
  const last = count - 1;
  const within = (index: number) => Math.min(Math.max(index, 0), last);
  const slot = (width - inset.left - inset.right) / Math.max(count, 1);
  return {
    active: active === undefined || count === 0 ? undefined : within(active),
    handlers: {
      onKeyDown(event: KeyboardEvent) {
        const step = steps[event.key];
        if (step === undefined) return;
        event.preventDefault();
        setActive(within(step(active ?? last, last)));
      },
      onFocus: () => setActive((now) => now ?? last),
      onBlur: () => setActive(undefined),
      onPointerMove({ clientX, currentTarget }: PointerEvent) {
        const x = clientX - currentTarget.getBoundingClientRect().left - inset.left;
        setActive(within(Math.floor(x / slot)));
      },
      onPointerLeave: ({ currentTarget }: PointerEvent) => {
        if (currentTarget !== document.activeElement) setActive(undefined);
      },
    },
  };
}

function valueText({ at, ok, refused, failed }: Point, intervalSeconds: number): string {
  return words.point(
    pointText(at, intervalSeconds),
    formatCount(ok),
    formatCount(refused),
    formatCount(failed),
  );
}

/** Calls over time. Arrow keys go from point to point, and each is said. */
export function CallsChart({ overview }: { overview: Overview }) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const { series, intervalSeconds } = overview;
  const { active, handlers } = useActive(series.length, width);
  const said = series[active ?? series.length - 1];
  return (
    <>
      <Legend overview={overview} active={active} />
      <div
        ref={ref}
        className={classes['chart']}
        role="slider"
        tabIndex={0}
        aria-label={words.chartUse}
        aria-valuemin={0}
        aria-valuemax={Math.max(series.length - 1, 0)}
        aria-valuenow={active ?? Math.max(series.length - 1, 0)}
        aria-valuetext={said === undefined ? words.noCalls : valueText(said, intervalSeconds)}
        {...handlers}
      >
        {width === 0 ? null : <Drawing overview={overview} width={width} active={active} />}
      </div>
    </>
  );
}
