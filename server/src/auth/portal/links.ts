import type { Config } from '../../config.ts';

/** Pages of the portal that a one-time link leads to. */
type LinkedPage = 'invitation' | 'reset-password';

/** The token stands behind the #, which no browser sends: it is in no log of a proxy and in no Referer. */
export function oneTimeLink(
  { publicUrl, basePath }: Pick<Config, 'publicUrl' | 'basePath'>,
  page: LinkedPage,
  token: string,
): string {
  return `${publicUrl}${basePath}/${page}#${token}`;
}
