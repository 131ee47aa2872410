import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { ApiError } from '../../contract/api-error.ts';
import { takeTime } from '../../contract/arrival.ts';
import { headerValues } from '../../contract/peer.ts';
import { queryOf } from '../../contract/query.ts';
import { typedQuery } from '../../contract/validate.ts';
import { readUploadForm } from '../../storage/multipart.ts';
import { FileBytes, NewFile, UploadForm } from './schema.ts';
import { idleMs, type Source } from './upload-endpoint.ts';

/** What a form may have beside its file: boundaries, and a few short fields. */
const form = { fieldsMax: 16, fieldBytesMax: 8 * 1024 };
const formBytesMax = form.fieldsMax * (form.fieldBytesMax + 8 * 1024);

/** Before a byte is read. */
function refuseLarge({ headers }: FastifyRequest, bytesMax: number, more = 0): void {
  if (Number(headers['content-length'] ?? 0) > bytesMax + more)
    throw new ApiError('4130', `the file must have at most ${bytesMax} bytes`);
}

const nothing = async () => {};

/** A form, as browsers send it: fields, then the file. */
export const formSource = (bytesMax: number): Source => ({
  bytesMax,
  bodyMedia: { 'multipart/form-data': { schema: UploadForm } },
  async open(request) {
    const [type, ...more] = headerValues(request.raw, 'content-type');
    if (more.length > 0 || !/^multipart\/form-data[ \t]*;/i.test(type ?? ''))
      throw new ApiError('4150', 'Content-Type must be multipart/form-data with its boundary');
    refuseLarge(request, bytesMax, formBytesMax);
    // Up to the file a form has the time of any other body: nobody knows yet what for, and whether its sender may.
    const { fields, filename, file, finished, discard } = await readUploadForm(
      request.body as Readable, // as the route takes bytes
      type,
      { idleMs, ...form },
    );
    takeTime(request.raw);
    const typed = typedQuery(NewFile, Object.fromEntries(fields));
    return { fields: { ...Object.fromEntries(fields), ...typed, filename }, stream: file, finished, discard };
  },
});

/** The bytes alone; what is said of them stands in the query. */
export const bytesSource = (bytesMax: number): Source => ({
  bytesMax,
  query: NewFile,
  headers: {
    'X-Content-Sha256': Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        description: 'SHA-256 of the body. Required above 1 MiB.',
        examples: ['2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'],
      }),
    ),
  },
  bodyMedia: { 'application/octet-stream': { schema: FileBytes } },
  async open(request) {
    refuseLarge(request, bytesMax);
    const fields = typedQuery(NewFile, queryOf(request));
    return { fields, stream: request.body as Readable, finished: nothing, discard: () => {} }; // as the route takes bytes
  },
});
