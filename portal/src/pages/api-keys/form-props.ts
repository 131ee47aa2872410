import type { Attempt } from '../../ui/attempt.ts';
import type { Manager } from './manager.ts';
import type { Issued } from './secret-panel.tsx';

/** What the form of a task is given. */
export type FormProps = { manager: Manager; attempt: Attempt };
export type IssuingProps = FormProps & { onIssued: (issued: Issued) => void };
