import type { AccountCaller } from '../../auth/identity.ts';
import { memberOfWorkspace, type Person } from '../../auth/portal/roles.ts';
import type { Mode } from '../../auth/signed/api-key-lookup.ts';
import { collection } from '../../contract/collection.ts';
import { given } from '../../contract/page-values.ts';
import type { Place, RawQuery } from '../../contract/place.ts';
import { sql } from '../../db/sql.ts';
import { transfers } from './collection.ts';
import { WorkspaceTransferFilters } from './schema.ts';

/** Any other value is refused when the filters are read. */
const modeIn = ({ mode }: RawQuery): Mode => (mode === 'TEST' ? 'TEST' : 'LIVE');

const memberOfMode: Place<AccountCaller, Person & { workspace: string; mode: Mode }> = {
  ...memberOfWorkspace,
  at: (caller, asked) => ({ ...memberOfWorkspace.at(caller, asked), mode: modeIn(asked.query) }),
  select: sql`select member.*, ${given('place', 'mode')}::key_mode as mode from (${memberOfWorkspace.select}) member`,
};

/** The same transfers as the portal shows them: of either mode, by default the LIVE ones. */
export const workspaceTransfers = collection({
  ...transfers,
  filters: WorkspaceTransferFilters,
  place: memberOfMode,
});
