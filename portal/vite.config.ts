import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';
import { mantineStyles } from './mantine-styles.ts';

/** Sets the colour scheme before anything is painted. The policy allows no inline script, and a module would come too late. */
function colorSchemeScript(): Plugin {
  const source = readFileSync(new URL('src/app/color-scheme.js', import.meta.url), 'utf8');
  const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8);
  const fileName = `assets/color-scheme-${hash}.js`;
  return {
    name: 'color-scheme-script',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source });
    },
    transformIndexHtml: {
      order: 'post',
      handler: () => [{ tag: 'script', attrs: { src: `./${fileName}` }, injectTo: 'head-prepend' }],
    },
  };
}

export default defineConfig({
  // Where the portal is served is known to the server alone: it writes its base path before each ./ of index.html.
  base: './',
  html: { cspNonce: '%nonce%' },
  plugins: [colorSchemeScript(), mantineStyles()],
  build: {
    manifest: true,
    // The policy allows no data: for fonts and scripts, and small files are few.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      onLog(level, log, handle) {
        // "use client" means nothing to a portal that is rendered in the browser alone.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
});
