import { NetworkError, PorticoError, RateLimitError, UnavailableError } from '@portico/sdk/portal';

/** Nobody's fault, and over by itself. */
export function isServerAway(error: unknown): boolean {
  if (error instanceof NetworkError) return true;
  return error instanceof UnavailableError && error.status !== 500;
}

function seconds(count: number): string {
  if (count < 90) return count === 1 ? '1 second' : `${count} seconds`;
  return `${Math.ceil(count / 60)} minutes`;
}

/** The service's words, as a sentence. */
export const sentence = (text: string) =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

/** What a person is told of an error. */
export function messageOf(error: unknown): string {
  if (error instanceof RateLimitError) {
    const wait = error.retryAfterSeconds;
    return `Too many attempts. Try again ${wait === undefined ? 'later' : `in ${seconds(Math.max(1, wait))}`}.`;
  }
  if (error instanceof NetworkError) return 'No answer came. Portico tries again by itself.';
  if (error instanceof PorticoError && error.code === '5031')
    return 'The check that you are human cannot be verified at the moment. Try again in a few seconds.';
  if (isServerAway(error))
    return 'The service is not available at the moment. Portico tries again by itself.';
  return error instanceof Error ? sentence(error.message) : 'Something unexpected happened.';
}
