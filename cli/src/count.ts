import { wrongUsage } from './failure.ts';

export function readCount(option: string, given: string): number {
  if (!/^[0-9]{1,15}$/.test(given)) throw wrongUsage(`--${option} must be a whole number`);
  return Number(given);
}
