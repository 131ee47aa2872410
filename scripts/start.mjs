import { existsSync } from 'node:fs';

// With production dependencies alone there is no compiler, and what was built elsewhere is started as it is.
if (existsSync(new URL('../node_modules/typescript/', import.meta.url))) {
  const { build } = await import('./build.mjs');
  build();
}
await import('../server/bin/portico-server.mjs');
