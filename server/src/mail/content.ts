import type { Content } from './kinds.ts';

/** What is asked of the vault, which stands above. */
export type Sealing = {
  seal(secret: string, owner: string): Buffer;
  open(sealed: Buffer, owner: string): string;
  mark(text: string): Buffer;
};

export type SealedContent = { sealed: Buffer; recipient: Buffer };

const ownerOf = (id: string) => `mail:${id}`;

/** Nobody can tell from a row whom it is for, but how many wait for the same person. */
export function sealContent(vault: Sealing, id: string, content: Content): SealedContent {
  const { to, locale, kind, values } = content;
  return {
    sealed: vault.seal(JSON.stringify({ to, locale, kind, values }), ownerOf(id)),
    recipient: vault.mark(`mail:${to.toLowerCase()}`),
  };
}

export function openContent(vault: Sealing, id: string, sealed: Buffer): Content {
  return JSON.parse(vault.open(sealed, ownerOf(id))) as Content; // sealed by sealContent
}
