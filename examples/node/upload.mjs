// Uploads a file, signed with nothing but node:crypto. See README.md beside this folder.
//   node upload.mjs FILE CATEGORY   CATEGORY is a code, as 8 for an invoice; reads PORTICO_URL, PORTICO_KEY_ID and PORTICO_SECRET
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';

async function hashOf(file) {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece);
  return hash.digest('hex');
}

const encode = (text) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

async function upload(file, category) {
  const { PORTICO_URL: base, PORTICO_KEY_ID: apiKeyId, PORTICO_SECRET: secret } = process.env;
  const path = '/api/v1/files';
  // Names in alphabetical order and values encoded as they are signed: nothing is left to make canonical.
  const query = `fileCategory=${category}&filename=${encode(basename(file))}`;
  const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), randomUUID()];
  const hash = await hashOf(file); // signed, so that the bytes can be sent as they are read
  const lines = ['PORTICO1-HMAC-SHA256', 'POST', path, query, timestamp, nonce, apiKeyId, hash];
  const response = await fetch(`${base}${path}?${query}`, {
    method: 'POST',
    body: createReadStream(file),
    duplex: 'half',
    headers: {
      'X-Api-Key': apiKeyId,
      'X-Signature': createHmac('sha256', secret).update(lines.join('\n')).digest('hex'),
      'X-Timestamp': timestamp,
      'X-Nonce': nonce,
      'X-Content-Sha256': hash,
      'Idempotency-Key': hash,
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(statSync(file).size),
    },
  });
  const answer = await response.text();
  if (response.ok) return answer;
  const { code, message } = JSON.parse(answer);
  throw new Error(`${code}: ${message}`);
}

try {
  console.log(await upload(...process.argv.slice(2)));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
