/** A store the service depends on cannot be reached or did not answer in time. */
export class StoreUnavailable extends Error {}
