export const hexOf = (byte: number) => byte.toString(16).padStart(2, '0');

export function toHex(bytes: ArrayBuffer | Uint8Array): string {
  return Array.from(new Uint8Array(bytes), hexOf).join('');
}
