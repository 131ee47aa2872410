import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';

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
export const statusNotes: Readonly<Record<string, string>> = {
  PENDING: 'Its content is still arriving. It can be downloaded when all of it is there.',
  PROCESSING: 'Its content is being scanned. It can be downloaded once nothing harmful was found in it.',
  QUARANTINED: 'Something harmful was found in its content, which is given to nobody.',
  REJECTED: 'It was refused by the platform, and its content is given to nobody.',
  ARCHIVED: 'It is kept out of the way, and can be restored.',
};

/** Whose content is given out. */
export const isServed = (status: string): boolean => ['ACTIVE', 'ARCHIVED', 'EXPIRED'].includes(status);

/** What changes by itself. */
export const isMoving = (status: string): boolean => status === 'PENDING' || status === 'PROCESSING';
