import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ConfigError, type Environment, loadConfig, unknownVariables, variables } from '../src/config.ts';

const keyOf = (bytes: Iterable<number>) => Buffer.from([...bytes]).toString('base64');
const masterKey = keyOf(Array.from({ length: 32 }, (_, index) => index * 7));
const production: Environment = {
  PORTICO_DEMO: '0',
  DATABASE_URL: 'postgres://localhost/portico',
  PORTICO_MASTER_KEY: masterKey,
  PORTICO_TURNSTILE_SECRET: '0x4AAAAAAAsecret',
  PORTICO_TURNSTILE_SITE_KEY: '0x4AAAAAAAsite',
  PORTICO_PUBLIC_URL: 'https://portal.example',
};

const failure = (environment: Environment): string => {
  try {
    loadConfig(environment);
    return 'accepted';
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
};

describe('the configuration', () => {
  it('of an empty environment is the demo on 127.0.0.1:8080', () => {
    const config = loadConfig({});
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      isDemo: true,
      basePath: '',
      publicUrl: 'http://127.0.0.1:8080',
      defaultPortal: 'demo-partner',
    });
    expect(Object.fromEntries(config.portals)).toEqual({
      'demo-partner': 'PARTNER',
      'demo-institution': 'INSTITUTION',
    });
    expect(config.limits).toEqual({
      live: { rate: 100, burst: 200 },
      test: { rate: 25, burst: 50 },
      portal: { rate: 200, burst: 400 },
      signIn: { rate: 5, burst: 5 },
      badSignature: { rate: 30, burst: 30 },
    });
    expect(config.turnstileSecret).toBe('1x0000000000000000000000000000000AA');
  });

  it('takes an empty variable for an absent one', () => {
    expect(loadConfig(Object.fromEntries(Object.keys(variables).map((name) => [name, ''])))).toEqual(
      loadConfig({}),
    );
  });

  it('is the demo by default as long as nothing speaks of production', () => {
    const quiet: Environment[] = [
      { HOST: '::1' },
      { HOST: '127.0.0.2' },
      { PORTICO_PUBLIC_URL: 'http://localhost:9000' },
      { PORTICO_PUBLIC_URL: 'http://[::1]:9000' },
      { PORTICO_TURNSTILE_SECRET: '2x0000000000000000000000000000000AA' },
      { PORTICO_MASTER_KEY: masterKey, NODE_ENV: 'test' },
    ];
    for (const environment of quiet)
      expect([environment, loadConfig(environment).isDemo]).toEqual([environment, true]);
  });

  it('is production by any setting that speaks of it, and says which when that is refused', () => {
    const telling: [string, Environment][] = [
      ['DATABASE_URL', { DATABASE_URL: 'postgres://localhost/x', PORTICO_MASTER_KEY: masterKey }],
      ['HOST', { HOST: '0.0.0.0' }],
      ['HOST', { HOST: '127.0.0.1.example' }],
      ['NODE_ENV', { NODE_ENV: 'production' }],
      ['PORTICO_PUBLIC_URL', { PORTICO_PUBLIC_URL: 'https://portal.example' }],
      ['PORTICO_PUBLIC_URL', { PORTICO_PUBLIC_URL: 'https://localhost' }],
      ['PORTICO_PUBLIC_URL', { PORTICO_PUBLIC_URL: 'http://portal.example:8080' }],
      ['PORTICO_PUBLIC_URL', { PORTICO_PUBLIC_URL: 'http://localhost.example' }],
      ['PORTICO_TRUSTED_PROXIES', { PORTICO_TRUSTED_PROXIES: '127.0.0.1' }],
      ['PORTICO_TURNSTILE_SECRET', { PORTICO_TURNSTILE_SECRET: '0x4real' }],
      [
        'HOST, PORTICO_TRUSTED_PROXIES',
        { HOST: '::', PORTICO_TRUSTED_PROXIES: '10.0.0.0/8', PORTICO_TURNSTILE_SECRET: '' },
      ],
    ];
    for (const [names, environment] of telling) {
      const verb = names.includes(',') ? 'end' : 'ends';
      expect(failure(environment)).toMatch(
        new RegExp(`^PORTICO_TURNSTILE_S\\w+: must be set .* \\(${names} ${verb} the default demo; .*\\)$`),
      );
      expect(loadConfig({ ...environment, PORTICO_MASTER_KEY: masterKey, PORTICO_DEMO: '1' }).isDemo).toBe(
        true,
      );
    }
  });

  it('refuses a wrong value with one line that names the variable and does not repeat the value', () => {
    const wrong: Environment = {
      PORT: '70000',
      PORTICO_HOME: undefined,
      DATABASE_URL: 'mysql://s3cret',
      REDIS_URL: 'http://s3cret',
      PORTICO_DEMO: 'yes',
      PORTICO_BASE_PATH: 'portico',
      PORTICO_PUBLIC_URL: 'https://example.com/path',
      PORTICO_TRUSTED_PROXIES: '10.0.0.0/33',
      PORTICO_PORTALS: '{"a":"B"}',
      PORTICO_DEFAULT_PORTAL: 's3cret',
      PORTICO_MASTER_KEY: 's3cret',
      PORTICO_MASTER_KEY_PREVIOUS: 's3cret',
      PORTICO_JWT_ISSUERS: '[{"issuer":"x"}]',
      PORTICO_OIDC: '{"clientSecret":"s3cret"}',
      PORTICO_TURNSTILE_VERIFY_URL: 'nope',
      PORTICO_SMS_URL: 'ftp://sms.example',
      PORTICO_OUTBOUND_ALLOW: '127.0.0.0/33',
      PORTICO_LIMIT_LIVE: '0/10',
      PORTICO_LIMIT_TEST: 'fast',
      PORTICO_LIMIT_PORTAL: '10',
      PORTICO_LIMIT_SIGN_IN: '-1/2',
      PORTICO_LIMIT_BAD_SIGNATURE: '1/0',
      PORTICO_UPLOAD_MAX: '0',
      PORTICO_OPEN_UPLOAD_MAX: '25M',
      PORTICO_STORAGE_QUOTA: 'on',
      PORTICO_S3: '{"secretAccessKey":"s3cret"}',
      PORTICO_CLAMD: 's3cret',
      PORTICO_DRAIN_MS: '1s',
      PORTICO_STOP_MS: '600001',
      PORTICO_LOG_LEVEL: 'loud',
    };
    for (const [name, value] of Object.entries(wrong)) {
      if (value === undefined) continue;
      const message = failure({ [name]: value });
      expect(message).toMatch(new RegExp(`^${name}: must `));
      expect(message).not.toContain('\n');
      expect(message).not.toContain('s3cret');
    }
  });

  it('takes in production what is private, encrypted or random', () => {
    const safe: Environment[] = [
      {},
      { PORTICO_TRUSTED_PROXIES: '10.0.0.0/8, fc00::/7, 127.0.0.0/8, 192.0.2.7, ::ffff:10.0.0.0/104' },
      { PORTICO_PUBLIC_URL: 'https://portal.example', HOST: '0.0.0.0' },
      { PORTICO_PUBLIC_URL: 'http://127.0.0.1:8080' },
      { PORTICO_TURNSTILE_VERIFY_URL: 'http://[::1]:9/siteverify' },
      { PORTICO_TURNSTILE_VERIFY_URL: 'https://turnstile.example/' },
      { PORTICO_MASTER_KEY_PREVIOUS: keyOf(new Uint8Array(32)) },
    ];
    for (const change of safe)
      expect([change, failure({ ...production, ...change })]).toEqual([change, 'accepted']);
  });

  it('refuses in production what cannot be safe, naming the variable', () => {
    const dangerous: [string, Environment][] = [
      ['PORTICO_TURNSTILE_SECRET', { PORTICO_TURNSTILE_SECRET: undefined }],
      ['PORTICO_TURNSTILE_SECRET', { PORTICO_TURNSTILE_SECRET: '1x0000000000000000000000000000000AA' }],
      ['PORTICO_TURNSTILE_SECRET', { PORTICO_TURNSTILE_SECRET: '3x0000000000000000000000000000000AA' }],
      ['PORTICO_TURNSTILE_SITE_KEY', { PORTICO_TURNSTILE_SITE_KEY: undefined }],
      ['PORTICO_TURNSTILE_SITE_KEY', { PORTICO_TURNSTILE_SITE_KEY: '1x00000000000000000000AA' }],
      ['PORTICO_TURNSTILE_SITE_KEY', { PORTICO_TURNSTILE_SITE_KEY: '3x00000000000000000000FF' }],
      ['PORTICO_TURNSTILE_VERIFY_URL', { PORTICO_TURNSTILE_VERIFY_URL: 'http://turnstile.example/' }],
      ['PORTICO_TURNSTILE_VERIFY_URL', { PORTICO_TURNSTILE_VERIFY_URL: 'HTTP://10.0.0.1/' }],
      ['PORTICO_SMS_URL', { PORTICO_SMS_URL: 'http://sms.example/' }],
      ['PORTICO_PUBLIC_URL', { PORTICO_PUBLIC_URL: 'http://portal.example' }],
      ['PORTICO_PUBLIC_URL', { PORTICO_PUBLIC_URL: undefined, HOST: '0.0.0.0' }],
      ['PORTICO_PUBLIC_URL', { PORTICO_PUBLIC_URL: undefined }],
      ['PORTICO_PUBLIC_URL', { PORTICO_PUBLIC_URL: '' }],
      ...[
        '0.0.0.0/0',
        '::/0',
        '1.2.3.4/0',
        '2001:db8::1/0',
        '::ffff:0.0.0.0/96',
        '0.0.0.0/1,128.0.0.0/1',
        '2000::/3',
      ].map((networks): [string, Environment] => [
        'PORTICO_TRUSTED_PROXIES',
        { PORTICO_TRUSTED_PROXIES: `192.0.2.1,${networks}` },
      ]),
      ['PORTICO_MASTER_KEY', { PORTICO_MASTER_KEY: undefined }],
      ['PORTICO_MASTER_KEY', { PORTICO_MASTER_KEY: keyOf(new Uint8Array(32)) }],
      ['PORTICO_MASTER_KEY', { PORTICO_MASTER_KEY: keyOf(new Uint8Array(32).fill(255)) }],
      ['PORTICO_MASTER_KEY', { PORTICO_MASTER_KEY: Buffer.alloc(32, 'secret').toString('base64') }],
      [
        'PORTICO_JWT_ISSUERS',
        {
          PORTICO_JWT_ISSUERS:
            '[{"issuer":"i","jwksUri":"http://i/jwks","audience":"a","accountClaim":"sub"}]',
        },
      ],
      [
        'PORTICO_JWT_ISSUERS',
        {
          PORTICO_JWT_ISSUERS:
            '[{"issuer":"i","jwksUri":" HTTP://i/jwks","audience":"a","accountClaim":"sub"}]',
        },
      ],
    ];
    for (const [name, change] of dangerous)
      expect([change, failure({ ...production, ...change })]).toEqual([
        change,
        expect.stringMatching(new RegExp(`^${name}: [^(\\n]*`)),
      ]);
  });

  it('refuses the embedded database as root in production', () => {
    const { DATABASE_URL: _omitted, ...embedded } = production;
    const message = failure(embedded);
    if (process.getuid?.() === 0) expect(message).toMatch(/^DATABASE_URL: .*root/);
    else expect(message).toBe('accepted');
  });

  it('refuses values that only look right', () => {
    const issuer = { issuer: 'i', jwksUri: 'https://i/jwks', audience: 'a', accountClaim: 'sub' };
    const wrong: [string, string][] = [
      ['PORTICO_JWT_ISSUERS', JSON.stringify([{ ...issuer, audience: 5 }])],
      ['PORTICO_JWT_ISSUERS', JSON.stringify([{ ...issuer, issuer: {} }])],
      ['PORTICO_PORTALS', '{"a":["PARTNER"]}'],
      ['PORTICO_LIMIT_LIVE', `${'9'.repeat(400)}/1`],
      ['PORTICO_BASE_PATH', '/..'],
      ['PORTICO_BASE_PATH', '/a/./b'],
    ];
    for (const [name, value] of wrong)
      expect([value, failure({ [name]: value })]).toEqual([value, expect.stringMatching(`^${name}: must`)]);
  });

  it('takes an OpenID Connect provider over https, or over http on loopback, and never tells its secret', () => {
    const provider = { issuer: 'https://id.example/a', clientId: 'c', clientSecret: 's3cret', label: 'ID' };
    const given = (change: object) => ({ PORTICO_OIDC: JSON.stringify({ ...provider, ...change }) });
    expect(loadConfig(given({})).openIdConnect).toEqual(provider);
    expect(failure(given({ issuer: 'http://[::1]:9' }))).toBe('accepted');
    const wrong: [string, object][] = [
      ['must be a JSON object', { label: 7 }],
      ['must be a JSON object', { clientSecret: '' }],
      ['issuer must be https', { issuer: 'http://id.example' }],
      ['issuer must be https', { issuer: 'http://localhost.example' }],
      ['issuer must be a URL', { issuer: 'id.example' }],
      ['issuer must be as', { issuer: 'https://id.example/?a' }],
      ['issuer must be as', { issuer: 'https://u:p@id.example' }],
      ['issuer must be as', { issuer: 'https://id.example/.well-known/openid-configuration' }],
      ['clientId and clientSecret must', { clientId: 'c\n' }],
      ['clientId and clientSecret must', { clientSecret: `s3cret${'x'.repeat(600)}` }],
      ['label must', { label: ' ' }],
      ['label must', { label: 'a\u0007' }],
      ['label must', { label: 'x'.repeat(65) }],
    ];
    for (const [message, change] of wrong) {
      const told = failure(given(change));
      expect([change, told.startsWith(`PORTICO_OIDC: ${message}`), told]).toEqual([change, true, told]);
      expect(told).not.toContain('s3cret');
    }
    for (const text of ['null', '[]', '7', '{']) expect(failure({ PORTICO_OIDC: text })).toMatch(/: must be/);
  });

  it('lets channels send to loopback in the demo alone, unless it is told where', () => {
    const allowed = (environment: Environment) =>
      loadConfig(environment).outboundAllow.map(({ text, prefix }) => `${text}/${prefix}`);
    expect(allowed({})).toEqual(['127.0.0.0/8', '::1/128']);
    expect(allowed(production)).toEqual([]);
    expect(allowed({ PORTICO_OUTBOUND_ALLOW: '10.0.0.0/8' })).toEqual(['10.0.0.0/8']);
    expect(loadConfig({ ...production, PORTICO_SMS_URL: 'http://127.0.0.1:9/' }).smsUrl).toBe(
      'http://127.0.0.1:9/',
    );
  });

  it('takes a store and a scanner as they are written, and refuses others with what is wrong with them', () => {
    const store = {
      endpoint: 'https://s3.example:9000',
      region: 'eu-central-1',
      bucket: 'portico-files',
      accessKeyId: 'AKIA',
      secretAccessKey: 's3cret/+=',
    };
    const given = (change: object) => ({ PORTICO_S3: JSON.stringify({ ...store, ...change }) });
    expect(loadConfig(given({})).files.s3).toEqual(store);
    expect(loadConfig(given({ endpoint: 'http://127.0.0.1:9000/' })).files.s3?.endpoint).toBe(
      'http://127.0.0.1:9000',
    );
    const wrong: [object, string][] = [
      [{ endpoint: 'http://s3.example' }, 'endpoint must be https'],
      [{ endpoint: 'https://s3.example/path' }, 'endpoint must be scheme'],
      [{ endpoint: 'ftp://s3.example' }, 'must be a URL'],
      [{ bucket: '../x' }, 'bucket must be'],
      [{ bucket: null }, 'must be a JSON object'],
      [{ secretAccessKey: 's3cret\n' }, 'region, accessKeyId'],
    ];
    for (const [change, message] of wrong) {
      expect(failure(given(change))).toContain(`PORTICO_S3: ${message}`);
      expect(failure(given(change))).not.toContain('s3cret');
    }
    const scanner = (text: string) => loadConfig({ PORTICO_CLAMD: text }).files.clamd;
    expect(scanner('clamd.local:3310')).toEqual({ host: 'clamd.local', port: 3310 });
    expect(scanner('[::1]:3310')).toEqual({ host: '::1', port: 3310 });
    for (const text of ['3310', 'host', 'host:', ':3310', '::1:3310', 'host:0', 'host:99999', 'a b:1'])
      expect(failure({ PORTICO_CLAMD: text })).toMatch(/^PORTICO_CLAMD: must be/);
    expect(loadConfig({}).files).toMatchObject({
      uploadMax: 104857600,
      openUploadMax: 26214400,
      quota: undefined,
    });
    expect(loadConfig({ PORTICO_STORAGE_QUOTA: '0' }).files.quota).toBe(0);
  });

  it('refuses an issuer that is listed twice', () => {
    const issuer = '{"issuer":"i","jwksUri":"https://i/jwks","audience":"a","accountClaim":"sub"}';
    expect(failure({ PORTICO_JWT_ISSUERS: `[${issuer},${issuer}]` })).toBe(
      'PORTICO_JWT_ISSUERS: must list each issuer once',
    );
  });

  it('refuses a DATABASE_URL without a master key also in the demo', () => {
    expect(failure({ PORTICO_DEMO: '1', DATABASE_URL: 'postgres://localhost/x' })).toMatch(
      /^PORTICO_MASTER_KEY: /,
    );
  });

  it('tells variables that look like ours and are not', () => {
    expect(unknownVariables({ PORTICO_TRUSTED_PROXY: '1', PORTICO_HOME: 'x', PATH: 'y' })).toEqual([
      'PORTICO_TRUSTED_PROXY',
    ]);
  });
});

describe('docs/configuration.md', () => {
  it('lists every variable with its default and description, and no other', () => {
    const text = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
    const rows = text.split('\n').filter((line) => line.startsWith('| `'));
    const expected = Object.entries(variables).map(
      ([name, { fallback, description }]) =>
        `| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${description} |`,
    );
    expect(rows).toEqual(expected);
  });
});
