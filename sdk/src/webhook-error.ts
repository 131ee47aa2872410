/**
 * missing-header, misshaped-header: it is no webhook. too-old, too-new: sent again by someone, or a clock is wrong.
 * wrong-signature: of another secret, or not as it was sent. no-event: it was signed, but is not an event.
 */
export type WebhookRefusal =
  | 'missing-header'
  | 'misshaped-header'
  | 'too-old'
  | 'too-new'
  | 'wrong-signature'
  | 'no-event';

/** What came must not be believed: answer it with 400. */
export class WebhookError extends Error {
  readonly reason: WebhookRefusal;

  constructor(reason: WebhookRefusal, message: string) {
    super(message);
    this.reason = reason;
  }

  static {
    WebhookError.prototype.name = 'WebhookError';
  }
}
