import { requestProblemWords as words } from '../../words/developers.ts';
import { bodyBytes, type DebuggedRequest } from './request.ts';

type Field = keyof DebuggedRequest;
/** Whether a value, never an empty one, is wrong, and what to say then. */
type Rule = [(value: string, request: DebuggedRequest) => boolean, keyof typeof words];

const keyMode = (apiKeyId: string) => /^ak_(live|test)_/.exec(apiKeyId)?.[1];
const secretMode = (secret: string) => /^sk_(live|test)_/.exec(secret)?.[1];

function belongsToOtherMode(secret: string, { apiKeyId }: DebuggedRequest): boolean {
  const modes = [keyMode(apiKeyId), secretMode(secret)];
  return !modes.includes(undefined) && modes[0] !== modes[1];
}

const rules: { [Name in Field]?: Rule[] } = {
  path: [
    [(path) => path.includes('?'), 'pathQuery'],
    [(path) => !path.startsWith('/api/'), 'pathStart'],
    [(path) => /[^\x21-\x7e]|#/.test(path), 'pathEncoded'],
  ],
  query: [[(query) => query.startsWith('?'), 'queryMark']],
  body: [[(_, request) => bodyBytes(request) === undefined, 'notBase64']],
  apiKeyId: [
    [(apiKeyId) => /^sk_/.test(apiKeyId), 'keyIsSecret'],
    [(apiKeyId) => keyMode(apiKeyId) === undefined, 'keyStart'],
  ],
  secret: [
    [(secret) => /^\s|\s$/.test(secret), 'secretSpace'],
    [(secret) => /^ak_/.test(secret), 'secretIsKey'],
    [(secret) => secretMode(secret) === undefined, 'secretWhole'],
    [belongsToOtherMode, 'modesDiffer'],
  ],
  timestamp: [
    [(timestamp) => !/^\d+$/.test(timestamp), 'digitsOnly'],
    [(timestamp) => /^\d{13,}$/.test(timestamp), 'milliseconds'],
  ],
  nonce: [
    [(nonce) => !/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(nonce), 'nonceShape'],
  ],
};

/** What the service would not take about a field. It is signed all the same. */
export function warningOf(field: Field, request: DebuggedRequest): string | undefined {
  const value = request[field];
  if (typeof value !== 'string' || value === '') return undefined;
  const broken = rules[field]?.find(([isWrong]) => isWrong(value, request));
  return broken === undefined ? undefined : words[broken[1]];
}

/** How far a timestamp may be from the clock of the service. */
const windowSeconds = 300;

export const isOutsideWindow = (timestamp: string): boolean =>
  !(Math.abs(Number(timestamp) - Date.now() / 1000) <= windowSeconds);
