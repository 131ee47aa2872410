/** Things that hold until a known moment. When it is full, the oldest are forgotten. */
export function createMemory<Value>(entriesMax: number) {
  const entries = new Map<string, { value: Value; endsAtMs: number }>();
  return {
    get(key: string, nowMs: number): Value | undefined {
      const entry = entries.get(key);
      if (entry === undefined || entry.endsAtMs > nowMs) return entry?.value;
      entries.delete(key);
      return undefined;
    },
    set(key: string, value: Value, endsAtMs: number): void {
      const [oldest] = entries.keys();
      if (entries.size >= entriesMax && !entries.has(key) && oldest !== undefined) entries.delete(oldest);
      entries.set(key, { value, endsAtMs });
    },
  };
}
