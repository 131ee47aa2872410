import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Services } from '../../auth/services.ts';
import { ApiError } from '../../contract/api-error.ts';
import type { Collection } from '../../contract/collection.ts';
import { type Described, describeRoute, type Texts } from '../../contract/describe.ts';
import type { Access } from '../../contract/endpoint.ts';
import { isKnownTag } from '../../contract/negotiate.ts';
import { placedRecordStatement } from '../../contract/page-statement.ts';
import { bagOf, given } from '../../contract/page-values.ts';
import { askedOf, leavingOf, refuseMissing } from '../../contract/place.ts';
import { reader } from '../../contract/validate.ts';
import type { Asker } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { contentDisposition } from '../../storage/disposition.ts';
import { parseRange } from '../../storage/range.ts';
import { watchTaking } from '../../storage/taking.ts';
import { noSuchFile } from './places.ts';
import { FileBytes, type FileFilters, FilePath, type FileRecord } from './schema.ts';

/** A reader that takes nothing for so long has left. */
const idleMs = 60_000;

/** What is served. PENDING has no bytes yet; those of the others that are missing were not, or not well, looked at. */
const served = ['ACTIVE', 'ARCHIVED', 'EXPIRED'];

const Stored = Type.Object({
  objectKey: Type.String(),
  filename: Type.String(),
  size: Type.Integer(),
  contentType: Type.String(),
  etag: Type.String(),
  status: Type.String(),
  isStored: Type.Boolean(),
  institutionId: Type.Integer(),
});
type Stored = Static<typeof Stored>;

const columns = {
  objectKey: sql`f.object_key`,
  filename: sql`f.original_filename`,
  size: sql`f.file_size`,
  contentType: sql`f.content_type`,
  etag: sql`f.etag`,
  status: sql`f.status::text`,
  isStored: sql`f.is_stored`,
  institutionId: sql`f.institution_id`,
};

function refuseUnserved({ status, isStored }: Stored): void {
  if (!served.includes(status))
    throw new ApiError('4091', `the content of a file that is ${status} is not served`);
  if (!isStored) throw new ApiError('4040', 'the content of this file is not kept here');
}

/** A download, whatever it holds: a browser neither shows it nor runs what is in it. */
const headersOf = ({ filename, contentType, etag }: Stored) => ({
  'content-type': contentType,
  'content-disposition': contentDisposition(filename),
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'accept-ranges': 'bytes',
  etag: `"${etag}"`,
});

/** The bytes that are asked for: all, unless a range of the very content is. */
function rangeOf({ headers }: FastifyRequest, { size, etag }: Stored) {
  const ifRange = headers['if-range'];
  const isSame = ifRange === undefined || ifRange === `"${etag}"`;
  const range = isSame ? parseRange(headers.range, size) : 'whole';
  if (range === 'unsatisfiable')
    throw new ApiError('4160', `the file has ${size} bytes, and none of those that Range asks for`, {
      headers: { 'content-range': `bytes */${size}` },
    });
  return range === 'whole' ? undefined : range;
}

/** Sends the bytes as fast as they are taken. Whoever leaves, or takes none, has them closed. */
async function send({ files }: Services, file: Stored, request: FastifyRequest, reply: FastifyReply) {
  if (isKnownTag(request.headers['if-none-match'], `"${file.etag}"`))
    return reply.headers(headersOf(file)).code(304).send();
  const range = rangeOf(request, file);
  const length = range === undefined ? file.size : range.end - range.start + 1;
  const head = {
    ...headersOf(file),
    'content-length': length,
    ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${file.size}` }),
  };
  const status = range === undefined ? 200 : 206;
  const isAsked = request.method !== 'HEAD';
  // Named in any case, so that bytes that are missing show before the length of all of them is promised.
  const bytes = range ?? (file.size === 0 ? undefined : { start: 0, end: file.size - 1 });
  const stream = isAsked ? await files.storage.read(file.objectKey, bytes) : Readable.from([]);
  if (stream === undefined) throw noSuchFile();
  reply.raw.setTimeout(idleMs, () => reply.raw.destroy());
  watchTaking(reply.raw);
  return reply.headers(head).code(status).send(stream);
}

type FilesOf<Caller, Values extends object> = Pick<
  Collection<typeof FileRecord, typeof FileFilters, Caller, Values>,
  'place' | 'within' | 'from'
>;

type Content<Caller> = Texts & Pick<Described, 'url'> & { access: Access<Caller> };

/** One statement tells whether the caller may look, and where the bytes are. */
function createFind<Caller, Values extends object>(
  { place, within, from }: FilesOf<Caller, Values>,
  { db }: Services,
) {
  const where = [...within, sql`f.biz_id = ${given('filter', 'bizId')}`];
  const statement = db.prepare(placedRecordStatement({ record: Stored, columns, from }, place.select, where));
  return async (values: Values, path: Static<typeof FilePath>, asker: Asker): Promise<Stored> => {
    const bag = bagOf({ place: values, filter: path });
    const [row] = await db.execute<{ missing: string | null; record: Stored | null }>(statement, bag, asker);
    const { record } = refuseMissing(place, row);
    if (record === null) throw noSuchFile();
    refuseUnserved(record);
    return record;
  };
}

/** The route of the bytes of a file. */
export function contentEndpoint<Caller, Values extends object>(
  files: FilesOf<Caller, Values>,
  { access, ...route }: Content<Caller>,
  services: Services,
): RouteOptions {
  const { place } = files;
  const find = createFind(files, services);
  const readPath = reader(FilePath);
  return {
    ...describeRoute({
      ...route,
      method: 'GET',
      path: FilePath,
      config: access.config,
      success: FileBytes,
      successMedia: 'application/octet-stream',
      others: { 206: 'The part that Range asks for', 304: 'If-None-Match names the content' },
      errors: [...place.errors, '4040', '4091', '4160', '4290'],
    }),
    async handler(request, reply) {
      const asked = askedOf(request);
      const values = place.at(access.callerOf(request), asked);
      const asker = { id: place.asker(values), leaving: () => leavingOf(reply) };
      const file = await find(values, readPath(asked.params), asker);
      const leave = await services.files.downloads.enter({ tenant: file.institutionId, caller: asker.id });
      // Who has left meanwhile closes no more.
      if (reply.raw.destroyed) leave();
      reply.raw.once('close', leave);
      return send(services, file, request, reply);
    },
  };
}
