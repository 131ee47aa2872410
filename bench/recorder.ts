export type Load = { connections: number; seconds: number };

export type Sample = {
  p50Ms: number;
  p99Ms: number;
  rps: number;
  errors: number;
  /** Whether p50 is of requests that had not been answered when the measurement ended: they took longer. */
  isAtLeast: boolean;
  /** How long the longest unanswered request had waited: the server still works on it. */
  waitingMs: number;
  responses: number;
};

/** A measurement lasts its time and until this many requests are answered, but never longer than the limit. */
const responsesMin = 3;
export const oneLimitSeconds = 5;
const limitSeconds = (connections: number) => (connections === 1 ? oneLimitSeconds : 2);
/** This share of the time is for connections to open and caches to fill. */
const warmUpShare = 0.15;
/** Work that a server was left with for longer than this is ended, not waited for. */
export const patienceMs = 200;

/** The value below which a share of the sorted values lies. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

const rounded = (value: number, digits: number) => Number(value.toFixed(digits));

/** Takes the time of each request of a number of connections that send one after the other. */
export class Recorder<Connection> {
  readonly #load: Load;
  readonly #begunMs = performance.now();
  readonly #latenciesMs: number[] = [];
  readonly #failedMs: number[] = [];
  readonly #answeredMs = new Map<Connection, number>();
  #responses = 0;

  constructor(load: Load) {
    this.#load = load;
  }

  #elapsedSeconds(): number {
    return (performance.now() - this.#begunMs) / 1000;
  }

  add(connection: Connection, isGood: boolean, latencyMs: number): void {
    this.#responses += 1;
    this.#answeredMs.set(connection, performance.now());
    if (this.#elapsedSeconds() < this.#load.seconds * warmUpShare) return;
    (isGood ? this.#latenciesMs : this.#failedMs).push(latencyMs);
  }

  isDone(): boolean {
    const elapsed = this.#elapsedSeconds();
    const answered = this.#latenciesMs.length + this.#failedMs.length;
    const { connections, seconds } = this.#load;
    if (elapsed >= Math.max(limitSeconds(connections), 2 * seconds)) return true;
    return elapsed >= seconds && answered >= responsesMin;
  }

  /** How long each connection has been waiting for the answer it has not got. */
  #waitingMs(): number[] {
    const now = performance.now();
    const silent = Math.max(0, this.#load.connections - this.#answeredMs.size);
    const since = [...this.#answeredMs.values(), ...Array<number>(silent).fill(this.#begunMs)];
    return since.map((from) => now - from);
  }

  result(): Sample {
    const waitingMs = this.#waitingMs();
    const seconds = this.#elapsedSeconds() - this.#load.seconds * warmUpShare;
    const answered = [...this.#latenciesMs].sort((a, b) => a - b);
    const medianMs = percentile(answered, 0.5);
    // What has waited longer than the median so far will certainly have taken longer: left out, a slow target would look fast.
    const longer = waitingMs.filter((ms) => ms > medianMs);
    const isRefused = answered.length === 0 && this.#failedMs.length > 0;
    const known = (isRefused ? this.#failedMs : [...answered, ...longer]).sort((a, b) => a - b);
    return {
      p50Ms: rounded(percentile(known, 0.5), 3),
      p99Ms: rounded(percentile(known, 0.99), 3),
      rps: rounded(this.#latenciesMs.length / seconds, 1),
      errors: this.#failedMs.length,
      isAtLeast: !isRefused && percentile(known, 0.5) > (answered.at(-1) ?? 0),
      waitingMs: Math.max(...waitingMs),
      responses: this.#responses,
    };
  }
}
