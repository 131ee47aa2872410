import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Fastify from 'fastify';

type Script = { plain: Buffer; gzipped: Buffer; etag: string };

/** Without this, zod inside Scalar tries whether it may compile code, and the policy reports the attempt. */
const prelude = 'globalThis.__zod_globalConfig={jitless:true};\n';

/** Scalar's script lives inside its Fastify plugin, whose own routes allow neither caching nor a strict policy. */
async function readScript(): Promise<Buffer> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const shelf = Fastify();
  await shelf.register(plugin, { routePrefix: '/shelf', configuration: { url: '/' } });
  const { rawPayload } = await shelf.inject('/shelf/js/scalar.js');
  await shelf.close();
  return Buffer.concat([Buffer.from(prelude), rawPayload]);
}

async function prepare(): Promise<Script> {
  const plain = await readScript();
  const hash = createHash('sha256').update(plain).digest('base64url');
  // Weak, as one tag stands for both encodings.
  return { plain, gzipped: await promisify(gzip)(plain), etag: `W/"${hash}"` };
}

let prepared: Promise<Script> | undefined;

/** Megabytes that most servers never send, so they are loaded at the first request. */
export function loadScript(): Promise<Script> {
  prepared ??= prepare();
  return prepared;
}
