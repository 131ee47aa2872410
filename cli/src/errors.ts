import { NetworkError, PorticoError } from '@portico/sdk';
import { exitCodes, Failure } from './failure.ts';
import { paintError, visible } from './output/terminal.ts';

/** Of this very code. */
export const isRefusal = (error: unknown, code: string): boolean =>
  error instanceof PorticoError && error.code === code;

/** Node hides what the system said at the end of a chain of causes; some of them have a code and no text. */
export function deepestText(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return deepestText(error.cause) ?? (error.message || ('code' in error ? String(error.code) : undefined));
}

function refusalText({ code, message, status, requestId }: PorticoError): string {
  const facts = [`HTTP ${status}`, ...(requestId === undefined ? [] : [`request id ${requestId}`])];
  return `${code === undefined ? '' : `${code} `}${message} (${facts.join(', ')})`;
}

function connectionText({ message, cause }: NetworkError): string {
  const detail = deepestText(cause);
  return detail === undefined ? message : `${message} (${detail})`;
}

const isSystemError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'code' in error && 'syscall' in error;

export type Report = { line: string; exitCode: number };

/** One line, and never a stack: what is unforeseen says no more than its message. */
export function reportOf(error: unknown): Report {
  const report = (text: string, exitCode: number) => ({
    line: `${paintError('red', 'portico:')} ${visible(text)}`,
    exitCode,
  });
  if (error instanceof Failure) return report(error.message, error.exitCode);
  if (error instanceof NetworkError) return report(connectionText(error), exitCodes.connection.code);
  if (error instanceof PorticoError) return report(refusalText(error), exitCodes.refused.code);
  if (isSystemError(error)) return report(error.message, exitCodes.usage.code);
  return report(error instanceof Error ? error.message : String(error), exitCodes.refused.code);
}
