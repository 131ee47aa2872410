/** An event as its row has it, with times and ids as the API shows them. */
export type EventRow = {
  sequence: number;
  type: string;
  /** ISO 8601, UTC. */
  occurredAt: string;
  /** Null: of both. */
  mode: 'LIVE' | 'TEST' | null;
  /** The id that the API shows. */
  workspaceId: string;
  /** JSON, written when it happened. */
  data: string;
};

export const eventIdOf = (sequence: number) => `EVT_${sequence}`;

/** The JSON text of an event: what is pulled and what a webhook is sent are the same, byte for byte. */
export function renderEvent({ sequence, type, occurredAt, mode, workspaceId, data }: EventRow): string {
  const head = JSON.stringify({ eventId: eventIdOf(sequence), type, occurredAt, mode, workspaceId });
  return `${head.slice(0, -1)},"data":${data}}`;
}
