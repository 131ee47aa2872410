import { type ComponentType, lazy } from 'react';

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** The code of a page did not come: the service is away, or has a newer portal by now. */
export class CodeMissing extends Error {}

/** A component whose code is fetched when it is first shown. */
export const later = <Props extends object>(load: Load<Props>) =>
  lazy(() =>
    load().catch((cause: unknown) => {
      throw new CodeMissing('the code of a page did not come', { cause });
    }),
  );
