import { readFileSync } from 'node:fs';
import { sign, stringToSign } from '@portico/sdk';
import published from '../../../docs/signing-vectors.json' with { type: 'json' };
import { defineCommand } from '../command.ts';
import { failedCheck, wrongUsage } from '../failure.ts';
import { paint, print, visible } from '../output/terminal.ts';

type VectorRequest = {
  method: string;
  path: string;
  query: string;
  body?: string;
  bodyBase64?: string;
  timestamp: string | number;
  nonce: string;
  apiKeyId: string;
};
type Vector = {
  name: string;
  secret: string;
  request: VectorRequest;
  stringToSign: string;
  signature: string;
};

function readVectors(path: string): Vector[] {
  let file: { vectors?: Vector[] } | null;
  try {
    file = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw wrongUsage(`${path} cannot be read, or is not JSON`);
  }
  if (!Array.isArray(file?.vectors) || file.vectors.length === 0)
    throw wrongUsage(`${path} holds no vectors`);
  return file.vectors;
}

/** What differs, or nothing. */
async function mismatch({ secret, request, ...expected }: Vector): Promise<string | undefined> {
  const { body = '', bodyBase64, timestamp, ...rest } = request;
  const bytes = bodyBase64 === undefined ? Buffer.from(body) : Buffer.from(bodyBase64, 'base64');
  const parts = { ...rest, timestamp: String(timestamp), body: new Uint8Array(bytes) };
  if ((await stringToSign(parts)) !== expected.stringToSign) return 'the string to sign differs';
  if ((await sign(secret, parts)) !== expected.signature) return 'the signature differs';
  return undefined;
}

/** A vector that is not even shaped like one is a vector that does not hold. */
async function judge(vector: Vector): Promise<string | undefined> {
  try {
    return await mismatch(vector);
  } catch {
    return 'it is not a vector';
  }
}

export const verifyVectorsCommand = defineCommand({
  name: 'verify-vectors',
  summary: 'check the signing of this tool against published vectors',
  positionals: ['[FILE]'],
  options: {},
  notes: 'Without FILE, docs/signing-vectors.json as it was published with the tool.',
  examples: ['portico verify-vectors', 'portico verify-vectors my-vectors.json'],
  async run({ positionals: [path] }) {
    const vectors: Vector[] = path === undefined ? published.vectors : readVectors(path);
    let wrong = 0;
    for (const vector of vectors) {
      const difference = await judge(vector);
      if (difference !== undefined) wrong++;
      const name = visible(String(vector?.name));
      print(
        difference === undefined
          ? `${paint('green', 'ok')}    ${name}`
          : `${paint('red', 'WRONG')} ${name}: ${difference}`,
      );
    }
    print(`${vectors.length - wrong} of ${vectors.length} vectors hold`);
    if (wrong > 0) throw failedCheck(`${wrong} of ${vectors.length} vectors do not hold`);
  },
});
