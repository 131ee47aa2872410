import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorld, type World } from './world.ts';

const read = (path: string) => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');

type Panel = { title: string; type: string; targets?: { expr: string }[] };
const { panels } = JSON.parse(read('grafana-dashboard.json')) as { panels: Panel[] };
const charts = panels.filter(({ type }) => type !== 'row');
const charted = charts.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** The second column of the table of alerts. */
const alerts = (read('operating.md').split('\n## Alerts\n')[1] ?? '')
  .split('\n## ')[0]
  ?.split('\n')
  .flatMap((line) => /^\| [^|]+ \| `([^`]+)` \|/.exec(line)?.[1] ?? []);

const words = /\b(by|without|on|ignoring|group_left|group_right|offset|bool|and|or|unless)\b/;

/** The metrics that an expression of PromQL asks for: names that are neither functions, labels, operators nor values. */
function metricsOf(expression: string): string[] {
  const bare = expression
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, '');
  return [...bare.matchAll(/(?<![\w:])[a-zA-Z_:][\w:]*(?![\w:]*\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !words.test(name));
}

/** What Prometheus may store of the metrics that the service has, also of those that were not observed yet. */
function offered(metrics: string): Set<string> {
  return new Set(
    [...metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' || type === 'summary'
        ? ['_bucket', '_sum', '_count'].map((part) => name + part)
        : [name],
    ),
  );
}

let world: World;
let names: Set<string>;
beforeAll(async () => {
  world = await openWorld();
  names = offered((await world.app.inject('/metrics')).body);
});
afterAll(() => world.close());

describe('docs/grafana-dashboard.json', () => {
  it('asks only for metrics that exist, in every chart', () => {
    expect(charts.filter(({ targets = [] }) => targets.length === 0)).toEqual([]);
    expect(charted.flatMap(metricsOf).filter((name) => !names.has(name))).toEqual([]);
  });

  it('shows every metric of our own', () => {
    const shown = new Set(charted.flatMap(metricsOf).map((name) => name.replace(/_bucket$/, '_count')));
    const own = [...names].filter((name) => /^portico_(?!.*_(bucket|sum)$)/.test(name));
    expect(own.filter((name) => !shown.has(name) && !shown.has(name.replace(/_count$/, '')))).toEqual([]);
  });
});

describe('the alerts of docs/operating.md', () => {
  it('ask only for metrics that exist', () => {
    expect(alerts?.length).toBeGreaterThan(5);
    // Prometheus itself notes whether it could reach an instance.
    const unknown = alerts?.flatMap(metricsOf).filter((name) => name !== 'up' && !names.has(name));
    expect(unknown).toEqual([]);
  });
});

describe('reading PromQL', () => {
  it('finds the metrics and nothing else', () => {
    const found = metricsOf(
      'sum by (code, le) (rate(a_total{x=~"b_c"}[5m])) / on (x) group_left (y) histogram_quantile(0.99, d_bucket offset 1h) > 0.5 and up == 0',
    );
    expect(found).toEqual(['a_total', 'd_bucket', 'up']);
  });
});
