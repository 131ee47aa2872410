import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
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
  const handle = await open(path, 'wx');
  await pipeline(request, handle.createWriteStream({ autoClose: false }));
  await handle.sync();
  await handle.close();
  response.writeHead(201).end();
  await rm(path);
}).listen(Number(process.env['PORT']), '127.0.0.1');
