import { type ResponseInfo, responseInfoOf } from './answer.ts';
import type { Deadline } from './deadline.ts';
import { NetworkError, PorticoError } from './errors.ts';
import { openHash } from './sha256.ts';

/** Bytes from `start` to `end`, both included and counted from 0; without an end, all that follow. */
export type ByteRange = { start: number; end?: number };

/** A file that is being received. */
export type Download = {
  /** Fails at its end when what came is not what the service keeps, so that what was taken is good only once it has ended. */
  stream: ReadableStream<Uint8Array>;
  /** As the service names it for a disk; a text, which is looked at before it is used as a path. */
  filename: string | undefined;
  contentType: string;
  /** Bytes that are to come. */
  size: number | undefined;
  /** Of the whole file. */
  totalSize: number | undefined;
  /** SHA-256 of the whole file, in lower-case hexadecimal. */
  etag: string | undefined;
  response: ResponseInfo;
};

/** RFC 6266: the extended form, in UTF-8, goes before the plain one. */
function filenameOf(disposition: string): string | undefined {
  const [, extended] = /;\s*filename\*\s*=\s*UTF-8''([^;\s]+)/i.exec(disposition) ?? [];
  const [, plain] = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(disposition) ?? [];
  try {
    return extended === undefined ? plain?.replace(/\\(.)/g, '$1') : decodeURIComponent(extended);
  } catch {
    return undefined;
  }
}

const numberOf = (text: string | null | undefined) => (/^\d+$/.test(text ?? '') ? Number(text) : undefined);

export function rangeHeader(range: ByteRange | undefined): Record<string, string> {
  if (range === undefined) return {};
  const { start, end } = range;
  const isCount = (value: number | undefined) => Number.isSafeInteger(value) && (value ?? -1) >= 0;
  if (!isCount(start) || (end !== undefined && !(isCount(end) && end >= start)))
    throw new TypeError('range must have a whole start, and an end that is not before it');
  return { Range: `bytes=${start}-${end ?? ''}` };
}

/** Passes pieces on as they are taken; the time of the deadline runs while one is waited for. */
function checked(response: Response, deadline: Deadline, etag: string | undefined, size: number | undefined) {
  const reader = response.body?.getReader();
  const hash = response.status === 200 && etag !== undefined ? openHash() : undefined;
  let received = 0;
  const finish = async () => {
    deadline.close();
    if (size !== undefined && received !== size) throw new NetworkError(`${received} of ${size} bytes came`);
    if (hash !== undefined && (await hash.hex()) !== etag)
      throw new PorticoError('what was received is not what the service keeps: its hash is another');
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        deadline.extend();
        const { done, value } = (await reader?.read().catch((cause: unknown) => {
          deadline.close();
          throw deadline.errorOf(cause);
        })) ?? { done: true, value: undefined };
        if (done) {
          await finish();
          return controller.close();
        }
        deadline.close();
        received += value.length;
        hash?.update(value);
        controller.enqueue(value);
      },
      async cancel(reason) {
        deadline.close();
        await reader?.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

export function downloadOf(response: Response, deadline: Deadline): Download {
  const { headers, status } = response;
  const [, etag] = /^(?:W\/)?"([0-9a-f]{64})"$/.exec(headers.get('etag') ?? '') ?? [];
  // What was packed for the way is counted after it.
  const isPacked = headers.get('content-encoding') !== null;
  const size = isPacked ? undefined : numberOf(headers.get('content-length'));
  const whole = numberOf(/\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1]);
  return {
    stream: checked(response, deadline, etag, size),
    filename: filenameOf(headers.get('content-disposition') ?? ''),
    contentType: headers.get('content-type') ?? 'application/octet-stream',
    size,
    totalSize: status === 206 ? whole : size,
    etag,
    response: responseInfoOf(response),
  };
}
