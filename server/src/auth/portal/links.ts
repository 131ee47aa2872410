import type { Config } from '../../config.ts';

/** Pages of the portal that a link with a one-time token opens. What follows # is never sent to a server, so no log has it. */
export type LinkedPage = 'invitation' | 'reset-password';

export function linkTo(
  { publicUrl, basePath }: Pick<Config, 'publicUrl' | 'basePath'>,
  page: LinkedPage,
  token: string,
): string {
  return `${publicUrl}${basePath}/${page}#${token}`;
}
