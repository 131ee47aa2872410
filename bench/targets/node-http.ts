import { createServer, type ServerResponse } from 'node:http';

/** The least a server can do: the same bytes, from memory, for every request. PUT sets them. */
let body = Buffer.alloc(0);

function answer(response: ServerResponse): void {
  response
    .writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length })
    .end(body);
}

createServer((request, response) => {
  if (request.method !== 'PUT') {
    request.resume().on('end', () => answer(response));
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    body = Buffer.concat(chunks);
    answer(response);
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');
