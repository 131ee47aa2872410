/** Nothing but this server is asked for anything. Scalar writes its style sheets into the page, hence unsafe-inline there. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Stand-ins, as Scalar would write YOUR_SECRET_TOKEN into every header of its samples: the secret signs and is never sent. */
const credentials = {
  bearer: { token: 'ACCESS_TOKEN' },
  turnstile: { value: 'TURNSTILE_TOKEN' },
  apiKey: { value: 'ID_OF_THE_KEY' },
  signature: { value: 'HMAC_SHA256_OF_THE_REQUEST' },
  timestamp: { value: 'EPOCH_SECONDS' },
  nonce: { value: 'FRESH_UUID' },
};

const customCss = [
  // They are no secrets, so they are not to be hidden.
  '.scalar-app .credential .credential-value{color:inherit;font-size:inherit}.scalar-app .credential:after{content:none}',
  // The page cannot sign, so it offers to send none of the requests that must be; it has no setting for a part of the operations.
  '.scalar-app [id*="/api/v1/"] .show-api-client-button,.scalar-app [id*="/api/v1/"] .endpoint-try-hint{display:none}',
].join('');

const settings = {
  customCss,
  authentication: { securitySchemes: credentials },
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'json',
  defaultOpenAllTags: true,
};

const escapeAttribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** Scalar reads its settings from an attribute, so the page needs no script of its own. */
export function referencePage(basePath: string): string {
  const configuration = JSON.stringify({ url: `${basePath}/openapi.json`, ...settings });
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Portico API reference</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="api-reference" data-configuration="${escapeAttribute(configuration)}"></div>
    <script src="${basePath}/docs/scalar.js"></script>
  </body>
</html>
`;
}
