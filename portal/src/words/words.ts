import type { ReactNode } from 'react';
import { locale } from './locale.ts';

type Said = string | ((...values: never[]) => ReactNode);
type Like<Text> = Text extends string ? string : Text;
type Spoken<Texts> = { readonly [Name in keyof Texts]: Like<Texts[Name]> };

/**
 * A part of the catalogue: each text in English and in Chinese, so that none can be left out. A text is read when it is
 * shown and never when a module is loaded: the language may be another one by then.
 */
export function words<Texts extends { [name: string]: Said }>(
  pairs: {
    readonly [Name in keyof Texts]: readonly [en: Texts[Name], zh: NoInfer<Like<Texts[Name]>>];
  },
): Spoken<Texts> {
  const spoken = {};
  for (const [name, pair] of Object.entries(pairs))
    Object.defineProperty(spoken, name, { enumerable: true, get: () => pair[locale() === 'en' ? 0 : 1] });
  return spoken as Spoken<Texts>;
}

/** The same in every language. */
export const productName = 'Portico';

/** "1 row", "2 rows". */
export const plural = (count: number, one: string, many: string, shown = String(count)): string =>
  `${shown} ${count === 1 ? one : many}`;
