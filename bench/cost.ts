import { readFileSync } from 'node:fs';

/** Of a clock tick in which Linux counts the time of processes. */
const tickMs = 10;

export type Memory = { rssMiB: number; peakMiB: number };

/** Of a process with all its threads; undefined where there is no /proc. */
export function cpuMsOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return undefined;
  }
}

export function memoryOf(pid: number): Memory | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    const mib = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1]) / 1024;
    return { rssMiB: mib('VmRSS'), peakMiB: mib('VmHWM') };
  } catch {
    return undefined;
  }
}
