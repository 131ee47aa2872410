import { memberOfWorkspace } from '../../auth/portal/roles.ts';
import type { Mode } from '../../auth/signed/api-key-lookup.ts';
import { collection, type Place } from '../../contract/collection.ts';
import { given } from '../../contract/page-values.ts';
import { sql } from '../../db/sql.ts';
import { transfers } from './collection.ts';
import { WorkspaceTransferFilters } from './schema.ts';

const memberOfMode: Place<{ account: string; workspace: string; mode: Mode }> = {
  refusal: memberOfWorkspace.refusal,
  asker: memberOfWorkspace.asker,
  select: sql`select member.*, ${given('place', 'mode')}::key_mode as mode from (${memberOfWorkspace.select}) member`,
};

/** The same transfers as the portal shows them: of either mode, by default the LIVE ones. */
export const workspaceTransfers = collection({
  ...transfers,
  filters: WorkspaceTransferFilters,
  place: memberOfMode,
});
