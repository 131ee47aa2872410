import { ApiError } from '../contract/api-error.ts';

export const transferStatuses = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
export type TransferStatus = (typeof transferStatuses)[number];

/** What it is called when the platform moves one on. */
export const moveActions = {
  PROCESSING: 'transfer.processing',
  COMPLETED: 'transfer.completed',
  FAILED: 'transfer.failed',
} as const;
export type MovedStatus = keyof typeof moveActions;

type Mover = 'client' | 'platform';

/** Who may take a transfer from where to where. What is not here cannot happen. */
const moves: Readonly<Record<Mover, Partial<Record<TransferStatus, readonly TransferStatus[]>>>> = {
  client: { PENDING: ['CANCELLED'] },
  platform: { PENDING: ['PROCESSING'], PROCESSING: ['COMPLETED', 'FAILED'] },
};

export function requireMove(by: Mover, from: TransferStatus, to: TransferStatus): void {
  if (!moves[by][from]?.includes(to))
    throw new ApiError('4091', `a transfer that is ${from} cannot become ${to}`);
}
