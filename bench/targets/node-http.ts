import { createServer } from 'node:http';

/** The least a server can do: the same bytes, from memory, for every request. */
const body = Buffer.from(process.env['BENCH_BODY'] ?? '', 'base64');

createServer((request, response) => {
  request.resume().on('end', () => {
    response
      .writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length })
      .end(body);
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');
