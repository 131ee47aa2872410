type Parameter = {
  in: string;
  name: string;
  required?: boolean;
  example?: unknown;
  schema: { enum?: unknown[] };
};

export type Sampled = {
  parameters?: Parameter[];
  requestBody?: { content: { [type: string]: { example?: unknown } } };
};

export type Sample = { lang: string; label: string; source: string };

/** In single quotes, which a shell takes as they are. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const exampleOf = ({ example, schema }: Parameter) =>
  encodeURIComponent(String(example ?? schema.enum?.[0] ?? ''));

/** As it is signed: names in order. What may be left out is, but for how much is wanted. */
function queryOf(parameters: readonly Parameter[]): string {
  const shown = parameters.filter((each) => each.in === 'query' && (each.required || each.name === 'size'));
  const pairs = shown.map((each) => `${each.name}=${each.name === 'size' ? 5 : exampleOf(each)}`);
  return pairs.sort().join('&');
}

function pathOf(path: string, parameters: readonly Parameter[]): string {
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const found = parameters.find((each) => each.in === 'path' && each.name === name);
    return found === undefined ? name : exampleOf(found);
  });
}

const nonce = `NONCE=$(openssl rand -hex 16 | sed -E 's/(.{8})(.{4})(.{4})(.{4})/\\1-\\2-\\3-\\4-/')`;
const digest = (...more: string[]) => `${['openssl dgst -sha256 -r', ...more].join(' ')} | cut -d' ' -f1`;

/** What hashes the body, and what sends it. */
function bodyOf({ requestBody }: Sampled): { hash: string[]; send: string[] } {
  if (requestBody === undefined) return { hash: [`HASH=$(printf '' | ${digest()})`], send: [] };
  const { 'application/json': json } = requestBody.content;
  if (json === undefined)
    return {
      hash: ['FILE=passport.pdf', `HASH=$(${digest('"$FILE"')})`],
      send: [
        `-H 'Content-Type: application/octet-stream' -H "X-Content-Sha256: $HASH" --data-binary "@$FILE"`,
      ],
    };
  return {
    hash: [`BODY=${quoted(JSON.stringify(json.example))}`, `HASH=$(printf %s "$BODY" | ${digest()})`],
    send: [`-H 'Content-Type: application/json' -d "$BODY"`],
  };
}

function curlOf(method: string, path: string, query: string, operation: Sampled): string {
  const { hash, send } = bodyOf(operation);
  const url = query === '' ? path : `${path}?${query}`;
  return [
    '# PORTICO_URL: of this service; PORTICO_KEY_ID and PORTICO_SECRET: of your key, whose secret signs and is never sent',
    'TIME=$(date +%s)',
    nonce,
    ...hash,
    `SIGNATURE=$(printf '%s\\n%s\\n%s\\n%s\\n%s\\n%s\\n%s\\n%s' PORTICO1-HMAC-SHA256 ${method} ${path} ${quoted(query)} \\`,
    `  "$TIME" "$NONCE" "$PORTICO_KEY_ID" "$HASH" | ${digest('-hmac "$PORTICO_SECRET"')})`,
    `curl -s -X ${method} "$PORTICO_URL${url}" -H "X-Api-Key: $PORTICO_KEY_ID" -H "X-Timestamp: $TIME" -H "X-Nonce: $NONCE" \\`,
    [`  -H "X-Signature: $SIGNATURE"`, ...send].join(' '),
  ].join('\n');
}

/** How a signed request is made: no tool that only fills headers in could. */
export function signedSamples(method: string, path: string, operation: Sampled): Sample[] {
  const parameters = operation.parameters ?? [];
  const query = queryOf(parameters);
  const sent = pathOf(path, parameters);
  const url = query === '' ? sent : `${sent}?${query}`;
  const curl = curlOf(method.toUpperCase(), sent, query, operation);
  const isJson = Object.keys(operation.requestBody?.content ?? { 'application/json': {} }).includes(
    'application/json',
  );
  const { example } = operation.requestBody?.content['application/json'] ?? {};
  const body = example === undefined ? '' : ` --body ${quoted(JSON.stringify(example))}`;
  const portico = `portico call ${method.toUpperCase()} ${quoted(url)}${body}`;
  return [
    { lang: 'shell', label: 'curl and openssl', source: curl },
    ...(isJson ? [{ lang: 'shell', label: 'portico', source: portico }] : []),
  ];
}
