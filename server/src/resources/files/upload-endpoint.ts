import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { type TProperties, Type } from 'typebox';
import type { Services } from '../../auth/services.ts';
import { otherContent } from '../../auth/signed/signature-headers.ts';
import { takeTime } from '../../contract/arrival.ts';
import { perform } from '../../contract/command.ts';
import { type Described, describeRoute, type Texts } from '../../contract/describe.ts';
import type { Access } from '../../contract/endpoint.ts';
import { Envelope, ok } from '../../contract/envelope.ts';
import { IdempotencyHeaders, idempotencyErrors, readKey, replayHeaders } from '../../contract/idempotency.ts';
import { createPlaceCheck, leavingOf } from '../../contract/place.ts';
import { reader } from '../../contract/validate.ts';
import { sql } from '../../db/sql.ts';
import type { Received } from '../../storage/incoming.ts';
import { abandonUpload } from './removal.ts';
import { FileRecord, NewFile } from './schema.ts';
import { type Content, newNames, type UploadCommand } from './upload.ts';
import type { UploadGround } from './write-places.ts';

/** How long an upload may stand still. */
export const idleMs = 30_000;

/** A request as it is once its body is about to be read. */
type Opened = {
  /** What it says of the file, and where it belongs. */
  fields: object;
  stream: Readable;
  /** What stands after the file shows only when that was read. */
  finished(): Promise<void>;
  /** Lets go of what was not read. */
  discard(): void;
};

/** How a route is sent a file. */
export type Source = Pick<Described, 'query' | 'bodyMedia'> & {
  headers?: TProperties;
  bytesMax: number;
  open(request: FastifyRequest): Promise<Opened>;
};

type Upload<Caller> = Texts &
  Pick<Described, 'url'> & {
    access: Access<Caller>;
    /** Whose share of the uploads at once it takes, of that of its institution. */
    nameOf(caller: Caller): string;
    source: Source;
  };

const readNew = reader(NewFile);

/** The same key with anything else that was said, or other bytes, is another upload. */
function fingerprintOf(fields: object, { sha256 }: Received): Buffer {
  const said = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([said, sha256]))
    .digest();
}

/** All bytes, on the disk of this machine. No connection to the database waits for them. */
async function receive(
  { files, now }: Services,
  request: FastifyRequest,
  open: Opened,
  bytesMax: number,
): Promise<Content> {
  takeTime(request.raw);
  const received = await files.incoming.receive(open.stream, { bytesMax, idleMs });
  try {
    await open.finished();
    const { statedHash } = request;
    if (statedHash !== undefined && statedHash !== received.sha256)
      throw otherContent(statedHash, received.sha256);
    return { ...received, ...newNames(now()) };
  } catch (error) {
    await received.discard();
    throw error;
  }
}

/** A body that is not read to its end would arrive, and be thrown away, for as long as it lasts. */
const endingConnection = (request: FastifyRequest, reply: FastifyReply) => (refusal: unknown) => {
  if (!request.raw.complete) reply.header('connection', 'close');
  throw refusal;
};

/** What is done with a body, from its first byte to its record or to nothing of it. */
function createTake<Caller, Values extends object, Ground extends UploadGround>(
  command: UploadCommand<Caller, Values, Ground>,
  { nameOf, source, url }: Pick<Upload<Caller>, 'nameOf' | 'source' | 'url'>,
  services: Services,
) {
  const { place } = command;
  const checkPlace = createPlaceCheck<Values, { institutionId: number }>(
    place,
    services.db,
    sql`, institution_id as "institutionId"`,
  );
  const keep = async (
    request: FastifyRequest,
    { caller, values, open }: { caller: Caller; values: Values; open: Opened },
  ) => {
    const body = readNew(open.fields);
    const key = readKey(request);
    const content = await receive(services, request, open, source.bytesMax);
    const sent = key === undefined ? undefined : { key, bodyHash: fingerprintOf(open.fields, content) };
    const input = () => ({ path: {}, body: { ...body, content }, sent });
    // Where this fails too, the record is found by the next sweep.
    const abandon = (failure?: unknown) => abandonUpload(services, content, failure).catch(() => {});
    try {
      const own = { db: services.db.shareOf(place.asker(values)), now: services.now };
      const done = await perform(command, own, { caller, values, input, route: `POST ${url}` });
      if (done.isReplayed) await abandon();
      return done;
    } catch (failure) {
      await abandon(failure);
      throw failure;
    } finally {
      await content.discard();
    }
  };
  return async (request: FastifyRequest, reply: FastifyReply, caller: Caller) => {
    const open = await source.open(request);
    try {
      const values = place.at(caller, { params: {}, query: {}, body: open.fields });
      const asker = { id: place.asker(values), leaving: () => leavingOf(reply) };
      const { institutionId: tenant } = await checkPlace(values, asker);
      const sharer = { tenant, caller: nameOf(caller) };
      return await services.files.uploads.run(sharer, () => keep(request, { caller, values, open }));
    } finally {
      open.discard();
    }
  };
}

/** The route of an upload: a command whose body is received before it begins. Who may not write, or asks wrong, is told before that. */
export function uploadEndpoint<Caller, Values extends object, Ground extends UploadGround>(
  command: UploadCommand<Caller, Values, Ground>,
  { access, nameOf, source, ...route }: Upload<Caller>,
  services: Services,
): RouteOptions {
  const { place, errors } = command;
  const take = createTake(command, { nameOf, source, url: route.url }, services);
  return {
    ...describeRoute({
      ...route,
      ...source,
      method: 'POST',
      config: { ...access.config, isCommand: true, takesBytes: true },
      success: Envelope(FileRecord),
      status: 201,
      requestHeaders: Type.Object({ ...IdempotencyHeaders.properties, ...source.headers }),
      headers: replayHeaders,
      errors: [...errors, ...place.errors, ...idempotencyErrors],
    }),
    async handler(request, reply) {
      const caller = access.callerOf(request);
      const done = await take(request, reply, caller).catch(endingConnection(request, reply));
      if (done.isReplayed) reply.header('idempotent-replayed', 'true');
      reply.code(201);
      return ok(done.answer, done.atMs);
    },
  };
}
