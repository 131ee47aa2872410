import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';
import { filesWords } from '../../words/files.tsx';

const tones: Record<string, Tone> = {
  ACTIVE: 'good',
  PENDING: 'waiting',
  PROCESSING: 'waiting',
  QUARANTINED: 'bad',
  REJECTED: 'bad',
};

export function FileStatus({ status }: { status: string }) {
  return <StatusBadge status={status} tone={tones[status] ?? 'neutral'} />;
}

/** What a status means for who wants the file; undefined: nothing in particular. */
export function statusNote(status: string): string | undefined {
  switch (status) {
    case 'PENDING':
      return filesWords.pending;
    case 'PROCESSING':
      return filesWords.processing;
    case 'QUARANTINED':
      return filesWords.quarantined;
    case 'REJECTED':
      return filesWords.rejected;
    case 'ARCHIVED':
      return filesWords.archived;
    default:
      return undefined;
  }
}

/** Whose content is given out. */
export const isServed = (status: string): boolean => ['ACTIVE', 'ARCHIVED', 'EXPIRED'].includes(status);

/** What changes by itself. */
export const isMoving = (status: string): boolean => status === 'PENDING' || status === 'PROCESSING';
