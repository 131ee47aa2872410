export type Answer = { status: number; text: string; headers: Headers };

export class NoAnswer extends Error {}

export type Patience = { timeoutMs: number; bytesMax: number };

async function readText(response: Response, bytesMax: number, signal: AbortSignal): Promise<string> {
  const reader = response.body?.getReader();
  const cancel = () => void reader?.cancel().catch(() => {});
  signal.addEventListener('abort', cancel);
  const chunks: Uint8Array[] = [];
  for (let length = 0; ; ) {
    const next = await reader?.read();
    signal.throwIfAborted();
    if (next?.value === undefined) return Buffer.concat(chunks).toString();
    length += next.value.length;
    if (length > bytesMax) {
      cancel();
      throw new NoAnswer(`more than ${bytesMax} bytes`);
    }
    chunks.push(next.value);
  }
}

/**
 * Asks another service, follows no redirect, and bounds both the wait and the answer. Fetch alone does not: on Node 20
 * its signal may be garbage-collected once the head has arrived, and then a body that trickles is waited for forever.
 */
export async function askService(
  url: string,
  init: RequestInit,
  { timeoutMs, bytesMax }: Patience,
): Promise<Answer> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: controller.signal });
    const { status, headers } = response;
    return { status, headers, text: await readText(response, bytesMax, controller.signal) };
  } catch (error) {
    throw error instanceof NoAnswer ? error : new NoAnswer('no answer', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
