/** Its message is one line that an operator can act on. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

export function homeInUse(home: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `PORTICO_HOME ${home} is in use by another running server: stop it, or set PORTICO_HOME to another directory`,
  );
}

/** One line also for what nobody foresaw, such as a full disk. */
export function asEmbeddedError(error: unknown, home: string): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new EmbeddedPostgresError(
    `cannot run the embedded database in PORTICO_HOME ${home}: ${reason.replaceAll('\n', ' ')}`,
    { cause: error },
  );
}

/** The errno name or SQLSTATE of an error, or ''. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** For a rejection handler: undefined for these codes, rethrows any other error. */
export function unless(...codes: string[]): (error: unknown) => undefined {
  return (error) => {
    if (!codes.includes(codeOf(error))) throw error;
    return undefined;
  };
}

export function lastLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.findLast((line) => line !== '') ?? '';
}
