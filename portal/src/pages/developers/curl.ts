import type { DebuggedRequest } from './request.ts';

/** One word of bash or zsh, whatever is in it. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** What a URL cannot carry is encoded. That changes nothing for the signature: both sides encode the query anew. */
const sendable = (query: string): string =>
  query.toWellFormed().replace(/[^\x21-\x7e]|#/gu, (character) => encodeURIComponent(character));

function methodOptions({ method, body }: DebuggedRequest): string[] {
  if (method === 'GET' && body === '') return [];
  return method === 'HEAD' && body === '' ? ['--head'] : [`-X ${method}`];
}

function bodyOptions({ body, isBase64 }: DebuggedRequest): string[] {
  if (body === '') return [];
  const type = isBase64 ? 'application/octet-stream' : 'application/json';
  // --data-raw, as a body that begins with @ is no file.
  return [
    `-H ${quote(`Content-Type: ${type}`)}`,
    isBase64 ? '--data-binary @-' : `--data-raw ${quote(body)}`,
  ];
}

/** A command that sends exactly what was signed. It holds the signature, never the secret. */
export function curlOf(baseUrl: string, request: DebuggedRequest, signature: string): string {
  const { path, query, body, isBase64, apiKeyId, timestamp, nonce } = request;
  const url = `${baseUrl}${path}${query === '' ? '' : `?${sendable(query)}`}`;
  const headers = [
    `X-Api-Key: ${apiKeyId}`,
    `X-Timestamp: ${timestamp}`,
    `X-Nonce: ${nonce}`,
    `X-Signature: ${signature}`,
  ];
  const command = [
    // Nothing in the URL is a pattern or a step between folders.
    `curl -g --path-as-is ${quote(url)}`,
    ...methodOptions(request),
    ...headers.map((header) => `-H ${quote(header)}`),
    ...bodyOptions(request),
  ].join(' \\\n  ');
  return isBase64 && body !== '' ? `printf %s ${quote(body)} | openssl base64 -d -A |\n${command}` : command;
}
