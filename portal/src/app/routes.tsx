import { later } from './code.ts';
import { pages, quietPages } from './pages.ts';

const loadShell = () => import('./shell.tsx').then(({ Shell: Loaded }) => ({ default: Loaded }));
export const Shell = later(loadShell);

export const SignInPage = later<{ hasExpired: boolean; onAttempt(): void }>(() =>
  import('../pages/sign-in/page.tsx').then(({ SignInPage: Loaded }) => ({ default: Loaded })),
);

export const SignInAgain = later<{ why: 'left' | 'expired' }>(() =>
  import('../session/sign-in/sign-in-again.tsx').then(({ SignInAgain: Loaded }) => ({ default: Loaded })),
);

/** Fetches the code of a page while it is still found out who is there. What fails is fetched again when it is shown. */
export function preload(path: string): void {
  const asked = [...pages, ...quietPages].find((each) => each.path === path);
  for (const load of [loadShell, ...(asked === undefined ? [] : [asked.load])]) load().catch(() => {});
}
