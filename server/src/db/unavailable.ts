/** A store the service depends on cannot be reached or did not answer in time. */
export class StoreUnavailable extends Error {}

/** It is there, and does not let the service work; requests pass again once its operator has mended that. */
export class StoreRefused extends StoreUnavailable {
  /** For the probe, which anyone may read: what is to be mended, and no name of it. */
  readonly advice: string;

  constructor(advice: string, options: ErrorOptions) {
    super('the database refuses the service', options);
    this.advice = advice;
  }
}
