import { PorticoError } from '@portico/sdk/portal';
import { memberRefusalWords } from '../../words/members.tsx';

const titles: Readonly<Record<string, string>> = memberRefusalWords;

/** Above the words of the service; undefined: nothing in particular. */
export function refusalTitle(error: unknown): string | undefined {
  return error instanceof PorticoError && error.code !== undefined ? titles[error.code] : undefined;
}
