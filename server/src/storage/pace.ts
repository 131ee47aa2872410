/** Who sends or takes less, on and on, is not waited for. A line of 9600 baud does twice as much. */
export const bytesPerSecondMin = 512;

/**
 * How much longer the other side of a body is waited for. Each byte gives it more time, up to what it began with: it may stand
 * still for that long, and may be as slow as the least for as long as it takes, but one that trickles comes to an end.
 */
export class Pace {
  private readonly mostMs: number;
  leftMs: number;

  constructor(mostMs: number) {
    this.mostMs = mostMs;
    this.leftMs = mostMs;
  }

  /** So long it was waited for; what the service itself took is not its time. */
  waited(ms: number): void {
    this.leftMs -= ms;
  }

  moved(bytes: number): void {
    this.leftMs = Math.min(this.mostMs, this.leftMs + (bytes / bytesPerSecondMin) * 1000);
  }
}
