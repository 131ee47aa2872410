const prefix = 'whsec_';
const bytesMin = 24;
const bytesMax = 64;

const form = `a signing secret is ${prefix} and base64 of ${bytesMin} to ${bytesMax} bytes`;

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  // atob would also take blanks, and pieces without their padding.
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  return Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
}

/** The messages never repeat it. */
function keyOf(secret: unknown): Uint8Array<ArrayBuffer> {
  if (typeof secret !== 'string' || secret === '') throw new TypeError(`the secret is missing: ${form}`);
  if (/^[sa]k_/.test(secret)) throw new TypeError(`that is of an API key: ${form}, shown with its channel`);
  if (secret !== secret.trim()) throw new TypeError('the secret has a blank or a newline at its end');
  if (!secret.startsWith(prefix)) throw new TypeError(`the secret does not begin with ${prefix}: ${form}`);
  const key = bytesOf(secret.slice(prefix.length));
  if (key === undefined) throw new TypeError(`the secret is not base64 behind ${prefix}`);
  if (key.length < bytesMin || key.length > bytesMax) throw new TypeError(`the secret is cut: ${form}`);
  return key;
}

/** One, or several while one takes the place of another. */
export type WebhookSecrets = string | readonly string[];

export function keysOf(secrets: WebhookSecrets): Uint8Array<ArrayBuffer>[] {
  const all = typeof secrets === 'object' ? [...secrets] : [secrets];
  if (all.length === 0) throw new TypeError(`the secret is missing: ${form}`);
  return all.map(keyOf);
}

export function newSecret(): string {
  return `${prefix}${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;
}
