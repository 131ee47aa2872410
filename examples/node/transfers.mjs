// Lists transfers page by page, signed with nothing but node:crypto. See README.md beside this folder.
//   node transfers.mjs                 reads PORTICO_URL, PORTICO_KEY_ID and PORTICO_SECRET
//   node transfers.mjs --vectors FILE  checks this code against docs/signing-vectors.json
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** + to space, %XX to bytes, then everything but A-Z a-z 0-9 - . _ ~ to upper-case %XX. An invalid % stands for itself. */
function encode(text) {
  const bytes = Buffer.from(text).toString('latin1'); // one character a byte
  return bytes
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/[^A-Za-z0-9\-._~]/g, (byte) => {
      const hex = byte.charCodeAt(0).toString(16).toUpperCase();
      return `%${hex.padStart(2, '0')}`;
    });
}

/** Sorted by name alone; sort() is stable, so a repeated name keeps its order. */
function canonicalQuery(query) {
  return query
    .split('&')
    .filter((piece) => piece !== '')
    .map((piece) => {
      const [, name, value = ''] = piece.match(/^([^=]*)=?(.*)$/s);
      return [encode(name), encode(value)];
    })
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function stringToSign({ method, path, query, body, timestamp, nonce, apiKeyId }) {
  const bodyHash = createHash('sha256').update(body).digest('hex');
  const lines = ['PORTICO1-HMAC-SHA256', method, path, canonicalQuery(query)];
  return [...lines, timestamp, nonce, apiKeyId, bodyHash].join('\n');
}

const sign = (secret, text) => createHmac('sha256', secret).update(text).digest('hex');

async function get(path, query) {
  const { PORTICO_URL: base, PORTICO_KEY_ID: apiKeyId, PORTICO_SECRET: secret } = process.env;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = randomUUID(); // a fresh one for every request, also when one is repeated
  const text = stringToSign({ method: 'GET', path, query, body: '', timestamp, nonce, apiKeyId });
  const headers = { 'X-Api-Key': apiKeyId, 'X-Timestamp': timestamp, 'X-Nonce': nonce };
  const response = await fetch(`${base}${path}?${query}`, {
    headers: { ...headers, 'X-Signature': sign(secret, text) },
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${answer.code}: ${answer.message}`);
  return answer.data;
}

async function listTransfers() {
  for (let page = 0, pages = 1; page < pages; page += 1) {
    const data = await get('/api/v1/transfers', `page=${page}&size=5&sort=status,asc&sort=amount,desc`);
    pages = data.page.totalPages;
    for (const { transferId, amount, currency, status } of data.content)
      console.log(`${transferId} ${amount} ${currency} ${status}`);
  }
}

function checkVectors(file) {
  const { vectors } = JSON.parse(readFileSync(file, 'utf8'));
  const wrong = vectors.filter(({ request, secret, ...expected }) => {
    const body = Buffer.from(request.bodyBase64 ?? request.body, 'bodyBase64' in request ? 'base64' : 'utf8');
    const text = stringToSign({ ...request, body });
    return (
      canonicalQuery(request.query) !== expected.canonicalQuery ||
      text !== expected.stringToSign ||
      sign(secret, text) !== expected.signature
    );
  });
  for (const { name } of wrong) console.error(`wrong: ${name}`);
  console.log(`${vectors.length - wrong.length} of ${vectors.length} vectors hold`);
  if (wrong.length > 0) process.exitCode = 1;
}

try {
  if (process.argv[2] === '--vectors') checkVectors(process.argv[3]);
  else {
    for (const name of ['PORTICO_URL', 'PORTICO_KEY_ID', 'PORTICO_SECRET'])
      if (!process.env[name]) throw new Error(`set ${name}`);
    await listTransfers();
  }
} catch (error) {
  console.error(error.cause ? `${process.env.PORTICO_URL}: ${error.cause.message}` : error.message);
  process.exitCode = 1;
}
