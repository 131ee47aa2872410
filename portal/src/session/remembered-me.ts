import type { Me } from '@portico/sdk/portal';
import { session } from './portal.ts';
import { storage } from './storage.ts';

const key = 'portico-me';

/** Named by what it holds: a newer portal may expect more of what was remembered. */
const build = (): string => document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? '';

type Kept = { build: string; mark: string | null; me: Me };

/** Who is signed in, so that a reload need not ask before it shows the page. It is asked all the same. */
export function rememberMe(me: Me): void {
  const kept: Kept = { build: build(), mark: session.mark(), me };
  storage.set(key, JSON.stringify(kept));
}

/** Of this very sign-in and this very portal, or undefined. */
export function rememberedMe(): Me | undefined {
  try {
    const kept: Kept | null = JSON.parse(storage.get(key) ?? 'null');
    const isOurs = kept !== null && kept.mark === session.mark() && kept.build === build();
    return isOurs ? kept.me : undefined;
  } catch {
    return undefined;
  }
}

export const forgetMe = (): void => storage.remove(key);
