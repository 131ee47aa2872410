import { visible } from './terminal.ts';

const barWidth = 24;
/** A terminal that is written to more often shows no more. */
const everyMs = 100;

export type Progress = {
  /** How far it is, from 0 to 1 where that is known, and a few words. */
  show(share: number | undefined, words: string): void;
  /** A line of its own, above. */
  line(text: string): void;
  end(): void;
};

function barOf(share: number): string {
  const full = Math.floor(Math.min(share, 1) * barWidth);
  return `[${'#'.repeat(full)}${'.'.repeat(barWidth - full)}] ${String(Math.floor(share * 100)).padStart(3)} %`;
}

/** A bar on standard error that moves in place; where that is no terminal, only the lines of their own are written. */
export function createProgress(stream = process.stderr): Progress {
  let last = 0;
  const clear = () => (stream.isTTY && last > 0 ? '\r\u001b[K' : '');
  return {
    show(share, words) {
      if (!stream.isTTY || performance.now() - last < everyMs) return;
      stream.write(`\r\u001b[K${share === undefined ? '' : `${barOf(share)}  `}${words}`);
      last = performance.now();
    },
    line(text) {
      stream.write(`${clear()}${visible(text)}\n`);
    },
    end() {
      stream.write(clear());
      last = 0;
    },
  };
}
