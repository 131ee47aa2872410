import { toHex } from './hex.ts';

/** A hash that grows piece by piece. */
export type Hash = { update(piece: Uint8Array): void; hex(): Promise<string> };

type Platform = {
  createHash(name: string): { update(piece: Uint8Array): void; digest(form: 'hex'): string };
  createReadStream(path: string): AsyncIterable<Uint8Array>;
};

/** A module of Node, also in Deno and Bun, without an import that a bundler for browsers would stumble over. */
export function platformModule<Name extends keyof Platform>(
  name: string,
  member: Name,
): Pick<Platform, Name> | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } }; // where there is one
  const loaded = process?.getBuiltinModule?.(name) as Pick<Platform, Name> | undefined; // as Node describes it
  return typeof loaded?.[member] === 'function' ? loaded : undefined;
}

/** WebCrypto takes a text whole: where there is nothing else, the pieces are kept until the end. */
function keptHash(): Hash {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  return {
    update: (piece) => void pieces.push(new Uint8Array(piece)),
    hex: async () => toHex(await crypto.subtle.digest('SHA-256', await new Blob(pieces).arrayBuffer())),
  };
}

export function openHash(): Hash {
  const hash = platformModule('node:crypto', 'createHash')?.createHash('sha256');
  return hash === undefined
    ? keptHash()
    : { update: (piece) => void hash.update(piece), hex: async () => hash.digest('hex') };
}
