import { build } from './build.mjs';

build();
await import('../server/dist/main.js');
