const assets = import.meta.url.lastIndexOf('/assets/');

/** The path the service lives under, without a slash at its end: what stands before the folder of this very script. */
export const basePath =
  assets === -1 ? '' : new URL(import.meta.url.slice(0, assets)).pathname.replace(/\/$/, '');
