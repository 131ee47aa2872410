import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { runInNewContext } from 'node:vm';
import { type Compressed, compress } from './compressed.ts';

const require = createRequire(import.meta.url);

/** Without this, zod inside Scalar tries whether it may compile code, and the policy reports the attempt. */
const prelude = 'globalThis.__zod_globalConfig={jitless:true};\n';

/**
 * Scalar's script lives inside its Fastify plugin, as one constant. The plugin itself is not loaded: its routes allow
 * neither caching nor a strict policy, and what it renders them with wants a newer Node than ours (decision 27).
 */
async function readScript(): Promise<string> {
  const plugin = require.resolve('@scalar/fastify-api-reference');
  const [, literal] = /^var standalone_default = (".*");$/m.exec(await readFile(plugin, 'utf8')) ?? [];
  if (literal === undefined) throw new Error('the script of Scalar is not where it was');
  return runInNewContext(literal);
}

let prepared: Promise<Compressed> | undefined;

/** Megabytes that most servers never send, so they are loaded at the first request. */
export function loadScript(): Promise<Compressed> {
  prepared ??= readScript().then((script) => compress(prelude + script));
  return prepared;
}
