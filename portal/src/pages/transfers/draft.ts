import type { Mode, NewWorkspaceTransfer } from '@portico/sdk/portal';
import { transfersWords } from '../../words/transfers.tsx';

/** What was typed so far for a transfer. */
export type Draft = { amount: string; currency: string; reference: string; mode: Mode };

/** As the service names them. */
export const fieldNames = ['amount', 'currency', 'reference'] as const;

export const emptyDraft = (mode: Mode): Draft => ({ amount: '', currency: '', reference: '', mode });

export function newTransferOf({ amount, currency, reference, mode }: Draft): NewWorkspaceTransfer {
  return { amount, currency, ...(reference === '' ? {} : { reference }), mode: mode === 'TEST' ? 2 : 1 };
}

/** What becomes of a TEST transfer, which the last two digits before the point decide. */
export function outcomeText(amount: string): string {
  const ending = /^\d*(\d\d)(?:\.\d*)?$/.exec(amount)?.[1] ?? '';
  if (ending === '13') return transfersWords.outcomeFails;
  if (ending === '17') return transfersWords.outcomePending;
  return ending === '19' ? transfersWords.outcomeProcessing : transfersWords.outcomeCompletes;
}
