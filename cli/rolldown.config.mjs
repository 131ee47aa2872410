import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';

const inPackage = (path) => fileURLToPath(new URL(path, import.meta.url));

/** One file that needs no package: the SDK is inside. The server's code stays outside, and is loaded where it is installed. */
export default defineConfig({
  input: inPackage('src/main.ts'),
  platform: 'node',
  external: [/^@portico\/server\//],
  output: { file: inPackage('dist/main.js'), format: 'esm', sourcemap: true },
});
