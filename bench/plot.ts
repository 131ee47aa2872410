import { LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { places } from './cases.ts';
import type { Result } from './rows.ts';
import { find, sizesOf } from './tables.ts';

use([LineChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);

const looks = {
  portico: { lineStyle: { type: 'solid' }, symbol: 'circle' },
  'count-offset': { lineStyle: { type: 'dashed' }, symbol: 'emptyCircle' },
} as const;
const colours = { first: '#1b6ca8', middle: '#c8553d', last: '#3d8b5f' };

function line(results: readonly Result[], target: keyof typeof looks, place: keyof typeof colours) {
  const points = sizesOf(results).map((rows) => [rows, find(results, target, place, rows, 1)?.p50Ms]);
  return {
    type: 'line' as const,
    name: `${target}, ${place} page`,
    data: points.flatMap(([rows, p50Ms]) =>
      rows === undefined || p50Ms === undefined ? [] : [[rows, p50Ms]],
    ),
    symbolSize: 8,
    symbol: looks[target].symbol,
    lineStyle: { width: 2, ...looks[target].lineStyle },
    itemStyle: { color: colours[place] },
  };
}

/** p50 of one connection against the number of rows, both logarithmic. */
export function costPlot(results: readonly Result[]): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: 860, height: 520 });
  const sizes = sizesOf(results);
  const axis = { type: 'log', nameLocation: 'middle', minorSplitLine: { show: false } } as const;
  chart.setOption({
    animation: false,
    backgroundColor: '#ffffff',
    title: { text: 'Time of a page with its exact total', left: 'center', top: 8 },
    legend: { bottom: 8, itemWidth: 40, width: 600 },
    grid: { left: 80, right: 40, top: 50, bottom: 110 },
    xAxis: {
      ...axis,
      name: 'rows of the institution',
      nameGap: 30,
      min: Math.min(...sizes),
      max: Math.max(...sizes),
      axisLabel: { formatter: (rows: number) => rows.toLocaleString('en-US') },
    },
    yAxis: { ...axis, name: 'p50 in ms, one connection', nameGap: 55 },
    series: (['portico', 'count-offset'] as const).flatMap((target) =>
      places.map((place) => line(results, target, place)),
    ),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return `${svg}\n`;
}
