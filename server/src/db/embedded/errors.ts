/** Its message is one line that an operator can act on. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

export function homeInUse(home: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `PORTICO_HOME ${home} is in use by another running server: stop it, or set PORTICO_HOME to another directory`,
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
