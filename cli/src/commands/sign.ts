import { randomUUID } from 'node:crypto';
import { sign, stringToSign } from '@portico/sdk';
import { bodyOption, readBody } from '../body.ts';
import { defineCommand, profileOption } from '../command.ts';
import { wrongUsage } from '../failure.ts';
import { print } from '../output/terminal.ts';
import { readApiKey, readUrl } from '../settings.ts';
import { parseTarget, requestPath, type Target } from '../target.ts';

function readTimestamp(option: string | undefined): string {
  const timestamp = option ?? String(Math.floor(Date.now() / 1000));
  if (!/^[0-9]{1,32}$/.test(timestamp)) throw wrongUsage('--timestamp must be epoch seconds in digits');
  return timestamp;
}

function readNonce(option: string | undefined): string {
  const nonce = option ?? randomUUID();
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(nonce)) {
    throw wrongUsage('--nonce must have the shape of a UUID');
  }
  return nonce;
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** `--data-raw` takes a leading @ for what it is; files and standard input need `--data-binary`. */
function curlBody(option: string | undefined): string[] {
  if (option === undefined) return [];
  const isFile = option === '-' || option.startsWith('@');
  const data = isFile
    ? `--data-binary ${quote(option === '-' ? '@-' : option)}`
    : `--data-raw ${quote(option)}`;
  return [`-H ${quote('Content-Type: application/json')}`, data];
}

function curlCommand(target: Target, headers: readonly string[], body: string | undefined): string {
  // curl waits for a body after -X HEAD, and reads brackets in an address as a pattern unless told not to.
  const method = target.method === 'HEAD' ? '--head' : `-X ${target.method}`;
  const parts = [
    `curl -sS -g ${method} ${quote(readUrl() + requestPath(target))}`,
    ...headers.map((header) => `-H ${quote(header)}`),
    ...curlBody(body),
  ];
  return parts.join(' \\\n  ');
}

export const signCommand = defineCommand({
  name: 'sign',
  summary: 'print the four headers that sign a request',
  positionals: ['METHOD', 'PATH'],
  options: {
    body: bodyOption,
    timestamp: { type: 'string', value: 'SECONDS', about: 'epoch seconds, default now' },
    nonce: { type: 'string', value: 'UUID', about: 'default a new one' },
    'show-string': { type: 'boolean', about: 'print the string to sign before the headers' },
    curl: { type: 'boolean', about: 'print a curl command, good for one use within 300 seconds' },
    ...profileOption,
  },
  notes: 'The secret signs and is in none of the output.',
  examples: [
    "portico sign GET '/api/v1/transfers?size=5'",
    "portico sign GET '/api/v1/transfers?sort=amount,asc' --show-string",
    'eval "$(portico sign GET /api/v1/whoami --curl)"',
  ],
  async run({ positionals: [method = '', path = ''], values }) {
    const target = parseTarget(method, path);
    const { apiKeyId, secret } = readApiKey();
    const timestamp = readTimestamp(values.timestamp);
    const nonce = readNonce(values.nonce);
    const body = (await readBody(values.body)) ?? new Uint8Array();
    const parts = { ...target, timestamp, nonce, apiKeyId, body };
    const headers = [
      `X-Api-Key: ${apiKeyId}`,
      `X-Signature: ${await sign(secret, parts)}`,
      `X-Timestamp: ${timestamp}`,
      `X-Nonce: ${nonce}`,
    ];
    if (values['show-string']) print(`${await stringToSign(parts)}\n`);
    print(values.curl ? curlCommand(target, headers, values.body) : headers.join('\n'));
  },
});
