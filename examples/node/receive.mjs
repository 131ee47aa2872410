// Receives webhooks, verifies and prints them, with nothing but Node. See README.md beside this folder.
//   node receive.mjs                 reads PORTICO_WEBHOOK_SECRET (two during a rotation, a blank between) and PORT (3000)
//   node receive.mjs --vectors FILE  checks this code against docs/webhook-vectors.json
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const toleranceSeconds = 300;

/** What is wrong with it, or nothing. `body` are the bytes as they came. */
function refusal(secrets, { id, timestamp, signature }, body, now) {
  if (!id || !timestamp || !signature) return 'a header is missing';
  if (!/^\d{1,12}$/.test(timestamp)) return 'the timestamp is no number of seconds';
  if (Math.abs(now - Number(timestamp)) > toleranceSeconds) return 'too old, or a clock is wrong';
  const given = signature.split(' ').map((each) => Buffer.from(each));
  const isRight = secrets.split(' ').some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
    const right = Buffer.from(`v1,${hmac}`);
    return given.some((each) => each.length === right.length && timingSafeEqual(each, right));
  });
  return isRight ? undefined : 'the signature is wrong';
}

async function receive(request, response) {
  const {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  } = request.headers;
  const body = Buffer.concat(await request.toArray());
  const secrets = process.env.PORTICO_WEBHOOK_SECRET;
  const wrong = refusal(secrets, { id, timestamp, signature }, body, Math.floor(Date.now() / 1000));
  console.log(wrong ? `refused: ${wrong}` : body.toString());
  // 2xx: it arrived. Answer at once and work afterwards; what comes twice has the same webhook-id.
  response.writeHead(wrong ? 400 : 204).end();
}

function checkVectors(file) {
  const { vectors } = JSON.parse(readFileSync(file, 'utf8'));
  const wrong = vectors.filter(
    ({ secrets, body, now, expected, ...headers }) =>
      (refusal(secrets, headers, Buffer.from(body), Number(now)) === undefined) !== (expected === 'valid'),
  );
  for (const { name } of wrong) console.error(`wrong: ${name}`);
  console.log(`${vectors.length - wrong.length} of ${vectors.length} vectors hold`);
  if (wrong.length > 0) process.exitCode = 1;
}

if (process.argv[2] === '--vectors') checkVectors(process.argv[3]);
else if (!process.env.PORTICO_WEBHOOK_SECRET) {
  console.error('set PORTICO_WEBHOOK_SECRET');
  process.exitCode = 1;
} else {
  const server = createServer((...exchange) => receive(...exchange).catch(() => {})); // a sender that went away
  server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () =>
    console.log(`listening on http://127.0.0.1:${server.address().port}`),
  );
}
