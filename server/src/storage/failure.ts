import { StoreUnavailable } from '../db/unavailable.ts';

/** The store of files cannot do it now. Clients learn no more than that; the message is for the log and holds no secret. */
export class StorageFailure extends StoreUnavailable {}
