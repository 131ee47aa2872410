import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Bodies, chooseEncoding, isKnownTag } from '../../contract/negotiate.ts';

/** Large, and the same for everyone: made once, so that an answer costs no more than its bytes. */
export type Compressed = { bodies: Bodies; etag: string };

export async function compress(text: string): Promise<Compressed> {
  const identity = Buffer.from(text);
  const hash = createHash('sha256').update(identity).digest('base64url');
  // Weak, as one tag stands for both encodings.
  return { bodies: { identity, gzip: await promisify(gzip)(identity) }, etag: `W/"${hash}"` };
}

export function sendCompressed(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  type: string,
  { bodies, etag }: Compressed,
) {
  reply.headers({ etag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
  if (isKnownTag(headers['if-none-match'], etag)) return reply.code(304).send();
  const encoding = chooseEncoding(headers['accept-encoding'], bodies);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.type(type).send(bodies[encoding]);
}
