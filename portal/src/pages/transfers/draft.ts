import type { Mode, NewWorkspaceTransfer } from '@portico/sdk/portal';

/** What was typed so far for a transfer. */
export type Draft = { amount: string; currency: string; reference: string; mode: Mode };

/** As the service names them. */
export const fieldNames = ['amount', 'currency', 'reference'] as const;

export const emptyDraft = (mode: Mode): Draft => ({ amount: '', currency: '', reference: '', mode });

export function newTransferOf({ amount, currency, reference, mode }: Draft): NewWorkspaceTransfer {
  return { amount, currency, ...(reference === '' ? {} : { reference }), mode: mode === 'TEST' ? 2 : 1 };
}

const outcomes: Readonly<Record<string, string>> = {
  13: 'It fails within ten seconds.',
  17: 'It stays pending until you cancel it.',
  19: 'It stays processing, so that cancelling it is refused.',
};

/** What becomes of a TEST transfer, which the last two digits before the point decide. */
export function outcomeText(amount: string): string {
  const ending = /^\d*(\d\d)(?:\.\d*)?$/.exec(amount)?.[1] ?? '';
  return outcomes[ending] ?? 'It completes within ten seconds.';
}
