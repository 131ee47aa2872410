type Closer = () => unknown;

const closers: Closer[] = [];
let closing = Promise.resolve();

/** What is started is ended in reverse, also when the run fails or is interrupted. */
export function atEnd(close: Closer): void {
  closers.push(close);
}

async function closeRest(): Promise<void> {
  for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close();
}

export function closeAll(): Promise<void> {
  closing = closing.then(closeRest);
  return closing;
}

/** Without this an interrupted run would leave its database and its data behind. */
export function closeOnSignal(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      // What was under way fails as the ground is taken from under it.
      process.on('uncaughtException', () => {});
      closeAll().finally(() => process.exit(130));
    });
}
