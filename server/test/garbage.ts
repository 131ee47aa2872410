import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects now what nobody refers to. */
export const collectGarbage = runInNewContext('gc') as () => void; // what the flag above adds
