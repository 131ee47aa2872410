import type { Download, FileRecord } from '@portico/sdk/portal';
import { useRef } from 'react';
import { portal } from '../../session/portal.ts';
import { useAttempt } from '../../ui/attempt.ts';
import { saveFile } from '../../ui/save-file.ts';
import { savedName } from '../../ui/visible-text.ts';

/**
 * Each piece as a Blob of its own, which the browser keeps on the disk where there are many. Of no type: whoever opened its
 * address would run what is in it, as a page of this origin.
 */
async function collect({ stream }: Download): Promise<Blob> {
  const pieces: Blob[] = [];
  await stream.pipeTo(
    new WritableStream<Uint8Array<ArrayBuffer>>({ write: (piece) => void pieces.push(new Blob([piece])) }),
  );
  return new Blob(pieces, { type: 'application/octet-stream' });
}

/** A download with the token, which no link could carry. */
export function useDownload() {
  const attempt = useAttempt();
  const running = useRef<AbortController>(undefined);
  const { isPending, error, forget } = attempt;
  return {
    isPending,
    // Ended by who began it: there is nothing to tell.
    error: running.current?.signal.aborted ? null : error,
    start({ bizId, originalFilename }: FileRecord) {
      const controller = new AbortController();
      running.current = controller;
      attempt.run(
        async () => collect(await portal.downloadFile(bizId, { signal: controller.signal })),
        (content) => saveFile(savedName(originalFilename), content),
      );
    },
    stop: () => running.current?.abort(),
    forget,
  };
}
