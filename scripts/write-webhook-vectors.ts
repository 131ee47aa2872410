import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';

/** Made up, as a reader can see. */
const secretOf = (text: string) => `whsec_${Buffer.from(text).toString('base64')}`;
const current = secretOf('ThisIsNoRealSecretOnlyAnExample!');
const previous = secretOf('TheSecretBeforeTheLastRotation!!');
const other = secretOf('TheSecretOfSomeOtherChannel?????');

const now = 1767225600;
const transfer = {
  transferId: 'TRF_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E',
  amount: '12.50',
  currency: 'USD',
  status: 'COMPLETED',
  createdAt: '2025-12-31T23:59:50.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  reference: 'Invoice 118',
};
const eventOf = (data: object) =>
  JSON.stringify({
    eventId: 'EVT_118',
    type: 'transfer.completed',
    occurredAt: transfer.updatedAt,
    mode: 'TEST',
    workspaceId: 'WS_DEMO',
    data,
  });
const plain = eventOf(transfer);

type Given = {
  /** What the receiver has; the first is the current one. */
  has?: string[];
  /** What the sender had. */
  signs?: string[];
  body?: string;
  timestamp?: string;
  id?: string;
  /** What becomes of it on the way. */
  changed?: Partial<Record<'id' | 'timestamp' | 'body', string>>;
  signature?: (right: string) => string;
  expected?: string;
};

const forged = `v1,${Buffer.alloc(32).toString('base64')}`;
const wrong = { expected: 'wrong-signature' };
const misshaped = { expected: 'misshaped-header' };
const missing = { expected: 'missing-header' };
const at = (seconds: number) => String(now + seconds);

const cases: Record<string, Given> = {
  'one secret, one signature': {},
  'two signatures, the first of which is right': { signs: [current, other] },
  'two signatures, the second of which is right': { signs: [other, current] },
  'two secrets during a rotation, signed with both': {
    has: [current, previous],
    signs: [current, previous],
  },
  'two secrets during a rotation, signed with the previous one': {
    has: [current, previous],
    signs: [previous],
  },
  'a signature of another kind is passed over': {
    signature: (right) => `v1a,${Buffer.alloc(64).toString('base64')} ${right}`,
  },
  'five wrong signatures before the right one': {
    signature: (right) => [...Array.from({ length: 5 }, () => forged), right].join(' '),
  },
  'a secret of 24 bytes': {
    has: [secretOf('ASecretOfTwentyFourBytes')],
    signs: [secretOf('ASecretOfTwentyFourBytes')],
  },
  'a secret of 64 bytes': { has: [secretOf('a'.repeat(64))], signs: [secretOf('a'.repeat(64))] },
  'a body in UTF-8': { body: eventOf({ ...transfer, reference: 'Zürich 送金 💸' }) },
  'a body with quotes and backslashes': { body: eventOf({ ...transfer, reference: 'C:\\new "hi"' }) },
  'a body with spaces and line breaks': { body: `${JSON.stringify(JSON.parse(plain), null, 2)}\n` },
  'three hundred seconds old': { timestamp: at(-300) },
  'three hundred seconds ahead': { timestamp: at(300) },
  'three hundred and one seconds old': { timestamp: at(-301), expected: 'too-old' },
  'three hundred and one seconds ahead': { timestamp: at(301), expected: 'too-new' },
  'of the year 1970': { timestamp: '0', expected: 'too-old' },
  'signed with the secret of another channel': { signs: [other], ...wrong },
  'the previous secret, when the rotation is over': { signs: [previous], ...wrong },
  'one byte of the body was changed': { changed: { body: plain.replace('12.50', '92.50') }, ...wrong },
  'the body was written anew': { changed: { body: JSON.stringify(JSON.parse(plain), null, 1) }, ...wrong },
  'a line break was added to the body': { changed: { body: `${plain}\n` }, ...wrong },
  'another id': { changed: { id: 'EVT_119' }, ...wrong },
  'another time': { changed: { timestamp: at(1) }, ...wrong },
  'a point moved from the time to the id': { changed: { id: `EVT_118.${now}` }, ...wrong },
  'a forged signature': { signature: () => forged, ...wrong },
  'a signature that is cut': { signature: (right) => right.slice(0, -4), ...wrong },
  'a signature with more behind it': { signature: (right) => `${right}AAAA`, ...wrong },
  'a signature in capitals': { signature: (right) => `v1,${right.slice(3).toUpperCase()}`, ...wrong },
  'a signature in hexadecimal': {
    signature: (right) => `v1,${Buffer.from(right.slice(3), 'base64').toString('hex')}`,
    ...wrong,
  },
  'the right signature under the name of another kind': {
    signature: (right) => `v2,${right.slice(3)} ${forged}`,
    ...wrong,
  },
  'an empty signature': { signature: () => 'v1,', ...wrong },
  'no kind before the signature': { signature: (right) => right.slice(3), ...misshaped },
  'only signatures of another kind': { signature: (right) => `v2,${right.slice(3)}`, ...misshaped },
  'a time in words': { timestamp: '2026-01-01T00:00:00Z', ...misshaped },
  'a time in milliseconds': { timestamp: `${now}000`, ...misshaped },
  'a time that is negative': { timestamp: '-1', ...misshaped },
  'no webhook-id': { changed: { id: '' }, ...missing },
  'no webhook-timestamp': { changed: { timestamp: '' }, ...missing },
  'no webhook-signature': { signature: () => '', ...missing },
};

function signatureOf(secret: string, text: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
}

const vectors = Object.entries(cases).map(([name, given]) => {
  const { has = [current], signs = [current], changed = {}, expected = 'valid' } = given;
  const sent = { id: 'EVT_118', timestamp: given.timestamp ?? String(now), body: given.body ?? plain };
  const text = `${sent.id}.${sent.timestamp}.${sent.body}`;
  const right = signs.map((secret) => signatureOf(secret, text)).join(' ');
  const signature = given.signature?.(right) ?? right;
  const { id, timestamp, body } = { ...sent, ...changed };
  return { name, secrets: has.join(' '), now: String(now), id, timestamp, signature, body, expected };
});

const file = new URL('../docs/webhook-vectors.json', import.meta.url);
writeFileSync(file, `${JSON.stringify({ specification: 'Standard Webhooks 1.0', vectors }, null, 2)}\n`);
