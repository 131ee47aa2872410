import { isatty } from 'node:tty';
import { type DestinationStream, type Logger, pino } from 'pino';

/** Lines leave together: a write for each was a quarter of what a request cost. */
const gatherBytes = 8 * 1024;
/** The longest that a line waits for others; what is lost when the process is killed. */
const gatherMs = 100;
/** Who reads them may stand still: what is more than this is dropped, and counted. */
const waitingBytesMax = 16 * 1024 * 1024;
const warning = 40;

export type ServiceLog = {
  logger: Logger;
  /** Writes what waits, now. */
  flush(): void;
};

/** The log of the service, on a file descriptor. From warnings on a line is written at once, and nothing is lost when the process ends by itself. */
export function createServiceLog(level: string, fd = 1): ServiceLog {
  const out = pino.destination({
    dest: fd,
    sync: false,
    minLength: gatherBytes,
    periodicFlush: gatherMs,
    maxLength: waitingBytesMax,
  });
  // A full disk, or a terminal that was closed: lines wait, and are tried again with later ones. The service goes on.
  let isFailing = false;
  out.on('error', () => {
    isFailing = true;
  });
  out.on('write', () => {
    isFailing = false;
  });
  const isTerminal = isatty(fd);
  const { flushSync } = out;
  out.flushSync = () => {
    // It would try for ever, also when the process ends. A terminal that is gone is none any more.
    if (!isFailing && isatty(fd) === isTerminal) flushSync.call(out);
  };
  let dropped = 0;
  out.on('drop', () => {
    dropped += 1;
  });
  const hooks: pino.LoggerOptions['hooks'] = {
    logMethod(args, method, number) {
      if (dropped > 0) tellDropped(this);
      method.apply(this, args);
      if (number >= warning) out.flush();
    },
  };
  /** Again with the next line, if nobody has taken this one either. */
  const tellDropped = (logger: Logger) => {
    const count = dropped;
    dropped = 0;
    logger.warn({ count }, 'lines of the log were dropped: who reads them was too slow');
    dropped = dropped === 0 ? 0 : count;
  };
  return { logger: pino({ level, hooks }, out as DestinationStream), flush: () => out.flushSync() };
}
