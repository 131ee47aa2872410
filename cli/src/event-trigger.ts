import type { Portico, PulledType } from '@portico/sdk';

/** What was made for it, by the name of its id. */
type Triggered = { transferId: string } | { bizId: string };

type Trigger = (client: Portico, signal: AbortSignal) => Promise<Triggered>;

const reference = 'portico events trigger';

/** The last two digits before the point say what becomes of a TEST transfer. */
const transfer =
  (amount: string): Trigger =>
  async (client, signal) => {
    const { transferId } = await client.transfers.create({ amount, currency: 'USD', reference }, { signal });
    return { transferId };
  };

const upload: Trigger = async (client, signal) => {
  const content = new TextEncoder().encode('A file for a test.\n');
  const file = { filename: 'events-trigger.txt', fileCategory: 99, remark: reference } as const;
  const { bizId } = await client.files.upload(content, file, { signal });
  return { bizId };
};

const staying = transfer('17.00');

/** What can be made to happen with a key, and how. */
export const triggers = {
  'transfer.created': staying,
  'transfer.processing': transfer('19.00'),
  'transfer.completed': transfer('10.00'),
  'transfer.failed': transfer('13.00'),
  'transfer.cancelled': async (client, signal) => {
    const triggered = await staying(client, signal);
    if ('transferId' in triggered) await client.transfers.cancel(triggered.transferId, { signal });
    return triggered;
  },
  'file.created': upload,
  'file.deleted': async (client, signal) => {
    const triggered = await upload(client, signal);
    if ('bizId' in triggered) await client.files.delete(triggered.bizId, { signal });
    return triggered;
  },
} as const satisfies Partial<Record<PulledType, Trigger>>;

export type TriggeredType = keyof typeof triggers;
export const triggeredTypes = Object.keys(triggers) as TriggeredType[]; // Object.keys forgets the literal keys
