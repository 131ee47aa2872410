/** The last argument of every method. */
export type CallOptions = {
  /** Ends the call; what is thrown is the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** Of a call that changes something by POST; by default one of its own for each call, which its repetitions keep. */
  idempotencyKey?: string | undefined;
};

/** Browsers have randomUUID on pages that came by https alone. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

export function idempotencyHeader({ idempotencyKey }: CallOptions): Record<string, string> {
  return { 'Idempotency-Key': idempotencyKey ?? randomKey() };
}
