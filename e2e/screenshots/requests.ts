import type { BrowserContext } from 'playwright-core';
import type { Overview, RequestRecord } from '../../sdk/src/portal/index.ts';
import { pictureTime } from './keys.ts';

const hour = 3600;
const ago = (seconds: number) => new Date(pictureTime.getTime() - seconds * 1000).toISOString();

/** Of the pictures of keys. */
const settlement = { apiKeyId: 'ak_live_01KEY2Q4M7T9V3X5Z8B1D6F0GH', name: 'Settlement service' };
const warehouse = { apiKeyId: 'ak_live_01KD9H2R5W8Y1A4C7E0G3J6MKN', name: 'Data warehouse' };

/** Four points a day, busy by day, with an address that was forgotten since yesterday. */
const series: Overview['series'] = Array.from({ length: 28 }, (_, index) => ({
  at: ago(3.5 * hour + (27 - index) * 6 * hour),
  ok: [90, 420, 510, 260][index % 4] ?? 0,
  refused: index >= 23 ? 64 : index % 3,
  failed: index === 17 ? 38 : 0,
}));

const sum = (part: 'ok' | 'refused' | 'failed') => series.reduce((total, point) => total + point[part], 0);
const totals = {
  calls: sum('ok') + sum('refused') + sum('failed'),
  refused: sum('refused'),
  failed: sum('failed'),
};
const live = { mode: 'LIVE', message: '' } as const;

const overview: Overview = {
  from: series[0]?.at ?? '',
  to: ago(0),
  intervalSeconds: 6 * hour,
  totals,
  series,
  codes: [
    { code: '4032', count: totals.refused - 29 },
    { code: '5030', count: totals.failed },
    { code: '4031', count: 21 },
    { code: '4012', count: 8 },
  ],
  keys: [
    {
      ...settlement,
      mode: 'LIVE',
      calls: totals.calls - 1204,
      refused: 29,
      failed: 38,
      lastUsedAt: ago(120),
    },
    {
      ...warehouse,
      mode: 'LIVE',
      calls: 1204,
      refused: totals.refused - 29,
      failed: 0,
      lastUsedAt: ago(3.5 * hour),
    },
  ],
  latency: { p50Ms: 4.2, p95Ms: 38.5 },
  attention: [
    {
      ...live,
      kind: 'CHANNEL_FAILING',
      subjectId: 'NCH_01KD9H2R5W8Y1A4C7E0G3J6MKN',
      name: 'Settlement service',
      at: ago(120),
    },
    {
      ...live,
      kind: 'ROTATION_OPEN',
      subjectId: warehouse.apiKeyId,
      name: warehouse.name,
      at: ago(-70 * hour),
    },
    {
      kind: 'OWNER_WITHOUT_SECOND_FACTOR',
      subjectId: 'ACC_DEMO_OWNER',
      name: 'owner@demo.test',
      mode: null,
      at: null,
      message: '',
    },
  ],
};

const request = (index: number): RequestRecord => {
  const isRefused = index % 3 === 0;
  const { apiKeyId, name } = isRefused ? warehouse : settlement;
  return {
    requestId: `2416497e-933d-4dd7-b28e-b919dfedae${10 + index}`,
    occurredAt: ago(60 + index * 47),
    apiKeyId,
    apiKeyName: name,
    mode: 'LIVE',
    method: index % 4 === 1 ? 'POST' : 'GET',
    route: index % 4 === 1 ? '/api/v1/transfers/{transferId}/cancel' : '/api/v1/transfers',
    status: isRefused ? 403 : 200,
    code: isRefused ? '4032' : '2000',
    durationMs: 3 + index * 2,
    ipAddress: isRefused ? '198.51.100.44' : '203.0.113.9',
  };
};

const requests = {
  content: Array.from({ length: 20 }, (_, index) => request(index)),
  pageNumber: 0,
  pageSize: 20,
  totalElements: totals.calls,
  totalPages: Math.ceil(totals.calls / 20),
};

/** A call that would be refused, and the key whose drawer says so. */
export const simulatorPath = `/api-keys?key=${settlement.apiKeyId}&method=GET&path=/api/v1/transfers&address=198.51.100.44`;

/** The same in every picture: nobody called the service. */
export async function answerRequests(context: BrowserContext): Promise<void> {
  await context.route(/\/web\/v1\/workspaces\/[^/]+\/(overview|requests)(\?|$)/, (route) => {
    const data = /\/overview/.test(route.request().url()) ? overview : requests;
    return route.fulfill({ json: { success: true, code: '2000', message: 'SUCCESS', data } });
  });
}
