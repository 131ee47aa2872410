import { profileOption } from '../command.ts';
import { wrongUsage } from '../failure.ts';

export const workspace = { type: 'string', value: 'WS', about: 'workspace of the keys, required' } as const;
export const json = { type: 'boolean', about: 'print JSON' } as const;

/** What every command on one key takes. */
export const ofOneKey = { workspace, ...profileOption, json };

export function readWorkspace(given: string | undefined): string {
  if (given === undefined) {
    throw wrongUsage('--workspace is missing: after a login, portico whoami lists your workspaces');
  }
  return given;
}
