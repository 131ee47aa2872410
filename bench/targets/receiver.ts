import { createServer } from 'node:http';

/**
 * A receiver of webhooks that answers at once, and what it saw: events say when they were committed. Below /hung it never answers,
 * below /down it refuses until it is told otherwise. GET /seen gives and forgets what arrived, by path: how many, the last, and how late each was.
 */
type Seen = { count: number; lastMs: number; lateMs: number[] };

let seen: { [path: string]: Seen } = {};
let isDown = true;

function note(path: string, body: string): void {
  const at = Date.now();
  seen[path] ??= { count: 0, lastMs: 0, lateMs: [] };
  const own = seen[path];
  own.count += 1;
  own.lastMs = at;
  own.lateMs.push(at - (JSON.parse(body) as { data: { atMs: number } }).data.atMs);
}

createServer((request, response) => {
  const { method, url: path = '' } = request;
  if (method === 'GET') {
    if (path === '/up') isDown = false;
    response.end(JSON.stringify(seen));
    if (path === '/seen') seen = {};
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (path.startsWith('/hung')) return;
    if (path.startsWith('/down') && isDown) response.writeHead(503).end();
    else {
      note(path, Buffer.concat(chunks).toString());
      response.end('ok');
    }
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');
