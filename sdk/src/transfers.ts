import { type Answer, dataOf } from './answer.ts';
import type { CallOptions } from './call-options.ts';
import { type Change, type ChangesQuery, changesOf } from './changes.ts';
import { type SignedCollection, signedCollection } from './collection.ts';
import { segment } from './path-segment.ts';
import type { NewTransfer, Transfer, TransferQuery } from './records.ts';
import type { SignedCaller } from './signed-caller.ts';

export interface Transfers extends SignedCollection<Transfer, TransferQuery> {
  get(transferId: string, options?: CallOptions): Answer<Transfer>;
  /** Tried again, it is created once. */
  create(transfer: NewTransfer, options?: CallOptions): Answer<Transfer>;
  /** While it is PENDING. */
  cancel(transferId: string, options?: CallOptions): Answer<Transfer>;
  /** What has changed, oldest first, each change once; see docs/keeping-in-step.md. */
  changes(query?: ChangesQuery, options?: CallOptions): AsyncIterableIterator<Change>;
}

const path = '/api/v1/transfers';
const pathOf = (transferId: string) => `${path}/${segment('transferId', transferId)}`;

export function transfersOf(caller: SignedCaller): Transfers {
  const command = (target: string, body: object | undefined, options: CallOptions) =>
    dataOf(caller.call<Transfer>({ method: 'POST', path: target, repeat: 'keyed', body }, options));
  return {
    ...signedCollection(caller, path, 'transferId', 'createdTo'),
    get: (transferId, options = {}) => dataOf(caller.read<Transfer>(pathOf(transferId), options)),
    create: (transfer, options = {}) => command(path, transfer, options),
    cancel: (transferId, options = {}) => command(`${pathOf(transferId)}/cancel`, undefined, options),
    changes: (query = {}, options = {}) => changesOf(caller, path, query, options),
  };
}
