import { NetworkError, PorticoError, RateLimitError, UnavailableError } from '@portico/sdk/portal';
import { errorWords } from '../words/errors.ts';
import { locale } from '../words/locale.ts';
import { problemWords } from '../words/ui.ts';

/** How often a service that is away is tried again. */
export const awayMs = 3000;

/** Nobody's fault, and over by itself. */
export function isServerAway(error: unknown): boolean {
  if (error instanceof NetworkError) return true;
  return error instanceof UnavailableError && error.status !== 500;
}

const waitText = (count: number) =>
  count < 90 ? problemWords.seconds(count) : problemWords.minutes(Math.ceil(count / 60));

/** The service's words, as a sentence. */
export const sentence = (text: string) =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?。！？]$/.test(text) ? '' : '.'}`;

const meanings: Readonly<Record<string, string>> = errorWords;

/** What a code of the service means; undefined: it is not in the catalogue. */
export const meaningOf = (code: string): string | undefined =>
  Object.hasOwn(meanings, code) ? meanings[code] : undefined;

/** The service speaks English, and knows more than its code: it has the word where people read English. */
function told(error: Error): string {
  const meaning =
    locale() !== 'en' && error instanceof PorticoError && error.code !== undefined
      ? meaningOf(error.code)
      : undefined;
  return meaning ?? sentence(error.message);
}

/** What a person is told of an error. */
export function messageOf(error: unknown): string {
  if (error instanceof RateLimitError) {
    const wait = error.retryAfterSeconds;
    return wait === undefined ? problemWords.tooMany : problemWords.tooManyFor(waitText(Math.max(1, wait)));
  }
  if (error instanceof NetworkError) return problemWords.noAnswer;
  if (error instanceof PorticoError && error.code === '5031') return problemWords.noCheck;
  if (isServerAway(error)) return problemWords.notAvailable;
  return error instanceof Error ? told(error) : problemWords.unexpected;
}

/** What the service itself said, where a person is told something more general; undefined: nothing is left out. */
export function untoldOf(error: unknown): string | undefined {
  if (!(error instanceof PorticoError) || error.code === undefined || locale() === 'en') return undefined;
  return meaningOf(error.code) === messageOf(error) ? error.message : undefined;
}
