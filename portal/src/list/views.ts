import { modeParameter } from '../session/mode.ts';
import { recordParameters } from '../ui/record-places.ts';
import { daysOf, type Period, periodOf, periods } from './days.ts';

/** A list as someone wants to find it again: what its address says, and days that move on with the calendar. */
export type View = { name: string; search: string; period?: Period };

export const viewsMax = 20;
export const viewNameMax = 60;

/** Of no view: where one is in it, which record is open, and whose list it is. */
const passing = ['page', 'workspace', 'record', 'type', ...recordParameters];

export function viewOf(name: string, params: URLSearchParams, nowMs: number): View {
  const kept = new URLSearchParams(params);
  for (const each of passing) kept.delete(each);
  const period = periodOf({ from: kept.get('from') ?? undefined, to: kept.get('to') ?? undefined }, nowMs);
  kept.sort();
  return { name, search: String(kept), ...(period === undefined ? {} : { period }) };
}

/** What the address says of a view today, in the workspace that it says now. */
export function paramsOf({ search, period }: View, params: URLSearchParams, nowMs: number): URLSearchParams {
  const shown = new URLSearchParams(search);
  const workspace = params.get('workspace');
  if (workspace !== null) shown.set('workspace', workspace);
  if (period !== undefined)
    for (const [name, day] of Object.entries(daysOf(period, nowMs))) shown.set(name, day ?? '');
  if (shown.get(modeParameter) === 'LIVE') shown.delete(modeParameter);
  return shown;
}

/** What a browser kept, which anybody may have changed. */
function readView(value: unknown): View[] {
  if (typeof value !== 'object' || value === null) return [];
  const { name, search, period } = value as { [Key in keyof View]?: unknown }; // each is looked at before it is believed
  if (typeof name !== 'string' || typeof search !== 'string') return [];
  const known = periods.find((each) => each === period);
  return [{ name, search, ...(known === undefined ? {} : { period: known }) }];
}

export function readViews(text: string | null): View[] {
  try {
    const found: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(found) ? found.flatMap(readView).slice(0, viewsMax) : [];
  } catch {
    return [];
  }
}

/** With a view more, or another one of the same name. */
export const withView = (views: readonly View[], view: View): View[] =>
  [...views.filter(({ name }) => name !== view.name), view].sort((a, b) => a.name.localeCompare(b.name));
