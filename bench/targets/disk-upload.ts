import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** The least an upload can be: the stream, as it comes, on disk and fsynced. */
createServer(async (request, response) => {
  if (request.method !== 'POST') {
    response.end();
    return;
  }
  const path = join(process.env['UPLOADS'] ?? tmpdir(), randomUUID());
  await pipeline(request, createWriteStream(path, { flush: true }));
  response.writeHead(201).end();
  await rm(path);
}).listen(Number(process.env['PORT']), '127.0.0.1');
