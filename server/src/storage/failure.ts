import { StoreUnavailable } from '../db/unavailable.ts';

/** The store of files cannot do it now. Clients learn no more than that; the message is for the log and holds no secret. */
export class StorageFailure extends StoreUnavailable {}

/** For whatever asks the system: a full disk or a folder that is gone is no fault of the request, and may be over soon. */
export async function failing<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StorageFailure ? error : new StorageFailure(`${what} failed`, { cause: error });
  }
}
