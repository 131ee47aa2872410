import { collection } from '../../contract/collection.ts';
import { transfers } from './collection.ts';
import { WorkspaceTransferFilters } from './schema.ts';

/** The same transfers as the portal shows them: of either mode, by default the LIVE ones. */
export const workspaceTransfers = collection({
  ...transfers,
  filters: WorkspaceTransferFilters,
  where: (workspaceId: number, { mode, ...filters }) =>
    transfers.where({ workspaceId, mode: mode === 'TEST' ? 'TEST' : 'LIVE' }, filters),
});
