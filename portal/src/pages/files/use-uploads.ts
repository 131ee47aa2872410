import type { CallOptions, Progress } from '@portico/sdk/portal';
import { useEffect, useRef, useState } from 'react';
import { useCallKey } from '../../ui/use-call-key.ts';

type UploadStatus = 'waiting' | 'sending' | 'done' | 'failed' | 'cancelled';

export type Upload = {
  id: number;
  file: File;
  status: UploadStatus;
  /** From 0 to 1; 1: all of it is sent, and the service is still at it. */
  sent: number;
  error: unknown;
};

export type Uploads = {
  all: readonly Upload[];
  isRunning: boolean;
  cancel(id: number): void;
  retry(id: number): void;
};

type SendOptions = CallOptions & { onProgress(progress: Progress): void };

/** More would only share the same line. */
const atOnceMax = 3;

const isOpen = ({ status }: Upload) => status === 'waiting' || status === 'sending';
const begin = (file: File, id: number): Upload => ({ id, file, status: 'waiting', sent: 0, error: null });

type Send = (file: File, options: SendOptions) => Promise<unknown>;
type Tell = (to: Partial<Upload>) => void;

/** One upload, told as it changes. */
async function run(
  file: File,
  send: Send,
  key: string,
  { signal }: AbortController,
  tell: Tell,
): Promise<void> {
  tell({ status: 'sending', sent: 0, error: null });
  const onProgress = ({ sent, total }: Progress) => tell({ sent: total === 0 ? 0 : sent / total });
  try {
    await send(file, { signal, onProgress, idempotencyKey: key });
    tell({ status: 'done' });
  } catch (error) {
    tell(signal.aborted ? { status: 'cancelled' } : { status: 'failed', error });
  }
}

/** Uploads of several files, some at once, each with its progress and its end. */
export function useUploads(files: readonly File[], send: Send): Uploads {
  const [all, setAll] = useState(() => files.map(begin));
  const running = useRef(new Map<number, AbortController>());
  const keyOf = useCallKey();
  const change = (id: number, to: Partial<Upload>) =>
    setAll((old) => old.map((each) => (each.id === id ? { ...each, ...to } : each)));
  const start = async ({ id, file }: Upload) => {
    const controller = new AbortController();
    running.current.set(id, controller);
    await run(file, send, keyOf(id), controller, (to) => change(id, to));
    running.current.delete(id);
  };
  useEffect(() => {
    const waiting = all.filter(({ id, status }) => status === 'waiting' && !running.current.has(id));
    for (const upload of waiting.slice(0, atOnceMax - running.current.size)) void start(upload);
  });
  // Whoever leaves the page leaves them, too.
  useEffect(
    () => () => {
      for (const controller of running.current.values()) controller.abort();
    },
    [],
  );
  return {
    all,
    isRunning: all.some(isOpen),
    cancel: (id) => {
      const controller = running.current.get(id);
      if (controller === undefined) change(id, { status: 'cancelled' });
      else controller.abort();
    },
    retry: (id) => change(id, { status: 'waiting', error: null }),
  };
}
