import { useCallback, useRef } from 'react';

/** Browsers have randomUUID on pages that came by https alone. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/**
 * An idempotency key for each thing that is sent, the same whenever that is sent again: after an answer that was lost, doing it
 * once more does it once.
 */
export function useCallKey(): (sent: unknown) => string {
  const keys = useRef(new Map<string, string>());
  return useCallback((sent) => {
    const text = JSON.stringify(sent);
    const key = keys.current.get(text) ?? randomKey();
    keys.current.set(text, key);
    return key;
  }, []);
}
