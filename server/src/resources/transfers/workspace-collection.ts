import type { AccountCaller } from '../../auth/identity.ts';
import { memberOfWorkspace, type Person } from '../../auth/portal/roles.ts';
import type { Mode } from '../../auth/signed/api-key-lookup.ts';
import { collection } from '../../contract/collection.ts';
import { given } from '../../contract/page-values.ts';
import type { Place } from '../../contract/place.ts';
import { sql } from '../../db/sql.ts';
import { transfers } from './collection.ts';
import { modeOf, WorkspaceTransferFilters } from './schema.ts';

const memberOfMode: Place<AccountCaller, Person & { workspace: string; mode: Mode }> = {
  ...memberOfWorkspace,
  at: (caller, asked) => ({ ...memberOfWorkspace.at(caller, asked), mode: modeOf(asked.query['mode']) }),
  select: sql`select member.*, ${given('place', 'mode')}::key_mode as mode from (${memberOfWorkspace.select}) member`,
};

/** The same transfers as the portal shows them: of either mode, by default the LIVE ones. */
export const workspaceTransfers = collection({
  ...transfers,
  filters: WorkspaceTransferFilters,
  place: memberOfMode,
});

/** Each by its id, whatever its mode. */
export const eitherTransfers = collection({
  ...transfers,
  place: memberOfWorkspace,
  within: [sql`t.workspace_id = place.workspace_id`],
});
