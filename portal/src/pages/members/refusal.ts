import { PorticoError } from '@portico/sdk/portal';

const titles: Readonly<Record<string, string>> = {
  4090: 'That is a member already',
  4094: 'A workspace keeps an owner',
  4096: 'That is one too many',
};

/** Above the words of the service; undefined: nothing in particular. */
export function refusalTitle(error: unknown): string | undefined {
  return error instanceof PorticoError && error.code !== undefined ? titles[error.code] : undefined;
}
