import { lazy } from 'react';
import { pages, quietPages } from './pages.ts';

const loadShell = () => import('./shell.tsx').then(({ Shell: Loaded }) => ({ default: Loaded }));
export const Shell = lazy(loadShell);

export const SignInPage = lazy(() =>
  import('../pages/sign-in/page.tsx').then(({ SignInPage: Loaded }) => ({ default: Loaded })),
);

/** Fetches the code of a page while it is still found out who is there. What fails is fetched again when it is shown. */
export function preload(path: string): void {
  const asked = [...pages, ...quietPages].find((each) => each.path === path);
  for (const load of [loadShell, ...(asked === undefined ? [] : [asked.load])]) load().catch(() => {});
}
