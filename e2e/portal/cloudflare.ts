import type { BrowserContext } from 'playwright-core';

/** As much of Cloudflare's script as the portal uses: a widget that solves itself, with a new token each time. */
const script = `
  window.turnstile = {
    render(container, options) {
      container.textContent = 'the widget of ' + options.sitekey;
      window.solve = () => setTimeout(() => options.callback('token-' + crypto.randomUUID()), 50);
      window.solve();
      return 'widget';
    },
    reset() { window.solve(); },
    remove() {},
  };`;

/** What a visitor is expected to ask of another origin. */
export const cloudflareNoise =
  /another origin: https:\/\/challenges\.cloudflare\.com\/turnstile\/v0\/api\.js/;

/** Stands in for Cloudflare, which no test can reach. */
export async function standInForCloudflare(context: BrowserContext): Promise<void> {
  await context.route('https://challenges.cloudflare.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  );
}
