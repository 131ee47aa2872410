import type { Mode, Transfer } from '@portico/sdk/portal';
import { portal } from '../../session/portal.ts';

export type Found = { transfer: Transfer; mode: Mode };
type Options = { signal: AbortSignal };

const millisecondAfter = (at: string) => new Date(Date.parse(at) + 1).toISOString();

/** Whether it is among the TEST transfers of its very millisecond, of which an import may have made many. */
async function isTest(workspace: string, transfer: Transfer, options: Options): Promise<boolean> {
  const { currency, createdAt } = transfer;
  const filters = {
    mode: 'TEST' as const,
    currency,
    createdFrom: createdAt,
    createdTo: millisecondAfter(createdAt),
  };
  for (let page = 0; ; page++) {
    const found = await portal.listWorkspaceTransfers(workspace, filters, { page, size: 100 }, options);
    if (found.content.some(({ transferId }) => transferId === transfer.transferId)) return true;
    if (page + 1 >= found.page.totalPages) return false;
  }
}

/** A transfer by its id, with its mode, which the record itself does not tell: nobody may take one that is not real for real. */
export async function findTransfer(workspace: string, id: string, options: Options): Promise<Found> {
  const transfer = await portal.getWorkspaceTransfer(workspace, id, options);
  return { transfer, mode: (await isTest(workspace, transfer, options)) ? 'TEST' : 'LIVE' };
}
