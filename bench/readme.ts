import { readFileSync, writeFileSync } from 'node:fs';
import { costPlot } from './plot.ts';
import { report } from './report.ts';
import { keepPlot, keptResults, type Results } from './results.ts';

const readme = new URL('./README.md', import.meta.url);
const markers = ['<!-- results -->', '<!-- end of results -->'] as const;
const image = '![Time of a page against the number of rows](results/cost-against-rows.svg)';

/** The text with everything that is kept between its markers. */
export function withResults(text: string, results: Results): string {
  const [before = '', rest = ''] = text.split(markers[0]);
  const [, after = ''] = rest.split(markers[1]);
  const parts = [
    markers[0],
    ...(results.rows === undefined ? [] : [image]),
    `${report(results)}\n${markers[1]}`,
  ];
  return `${before}${parts.join('\n\n')}${after}`;
}

/** Also of parts that were not run this time. */
export function writeReadme(): void {
  const kept = keptResults();
  if (kept.rows !== undefined) keepPlot(costPlot(kept.rows));
  writeFileSync(readme, withResults(readFileSync(readme, 'utf8'), kept));
}
