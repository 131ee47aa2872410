import { setTimeZone, type TimeZone } from '../ui/time.ts';
import { storage } from './storage.ts';

const key = 'time-zone';

/** What was chosen in this browser. */
export function startTimeZone(): void {
  setTimeZone(storage.get(key) === 'UTC' ? 'UTC' : 'local');
}

export function chooseTimeZone(to: TimeZone): void {
  storage.set(key, to);
  setTimeZone(to);
}
