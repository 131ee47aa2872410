import { expect, it, onTestFinished, vi } from 'vitest';
import { ConfigError, type Environment, loadConfig } from '../src/config.ts';

const masterKey = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7)).toString('base64');
const load = (environment: Environment) =>
  loadConfig({ PORTICO_DEMO: '1', PORTICO_MASTER_KEY: masterKey, ...environment });

const failure = (environment: Environment): string => {
  try {
    load(environment);
    return 'accepted';
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
};

it('refuses addresses and limits that nothing can be done with, and never tells what is in them', () => {
  const wrong: { [name: string]: string[] } = {
    HOST: [
      '256.1.1.1',
      '127.1',
      '0',
      '127.0.0.1 ',
      'a b',
      'a/b',
      'http://x',
      'x:80',
      '[x]',
      '[::1',
      '*',
      'a..b',
      '-',
    ],
    REDIS_URL: [
      ...['redis://:s3cret%zz@h', 'redis://%zz:s3cret@h', 'redis:s3cret', 'redis://:s3cret@h/abc'],
      ...[
        'redis://:s3cret@h/-1',
        'redis://:s3cret@h?keyPrefix=x',
        'redis://h?connectTimeout=0',
        'redis://h/1#s3cret',
      ],
    ],
    DATABASE_URL: [
      ...[
        'sslrootcert=/s3cret',
        'sslkey=/s3cret',
        'query_timeout=1',
        's3cret',
        'sslmode=s3cret',
        'ssl=maybe',
      ],
      ...[
        'port=s3cret',
        'client_encoding=LATIN1',
        'types=x',
        'max=1',
        'uselibpqcompat=true&sslmode=verify-ca',
      ],
    ].map((parameters) => `postgres://u:s3cret@h/db?${parameters}`),
    PORTICO_BASE_PATH: ['/healthz', '/readyz/', '/metrics'],
    PORTICO_LIMIT_LIVE: [`0.${'0'.repeat(300)}1/1`, '0.0009/1', `${'9'.repeat(400)}/1`, '1e3/1', '1/1.5'],
    PORTICO_CLAMD: ['[:::]:1', 's3cret/x:1', '256.1.1.1:1'],
    PORTICO_SMS_URL: ['https://u:s3cret%zz@sms.example/'],
    PORTICO_METRICS_TOKEN: ['s3cret s3cret', 's3cré', ' '],
  };
  for (const [name, values] of Object.entries(wrong))
    for (const value of values) {
      const message = failure({ [name]: value });
      expect([value, message]).toEqual([value, expect.stringMatching(new RegExp(`^${name}: .+$`))]);
      expect(message).not.toMatch(/\n|s3cr/);
    }
  const store = { region: 'x', bucket: 'abc', accessKeyId: 'a', secretAccessKey: 's3cret' };
  const endpoint = 'https://u:s3cret@h';
  expect(failure({ PORTICO_S3: JSON.stringify({ ...store, endpoint }) })).toBe(
    'PORTICO_S3: endpoint must be scheme, host and port alone',
  );
});

it('takes addresses as they are written elsewhere', () => {
  const hostOf = (HOST: string) => {
    const { host, publicUrl } = load({ HOST });
    return [host, publicUrl];
  };
  expect(hostOf('[::1]')).toEqual(['::1', 'http://[::1]:8080']);
  expect(hostOf('fe80::1%eth9')).toEqual(['fe80::1%eth9', 'http://[fe80::1]:8080']);
  expect(hostOf('portal_1.example')).toEqual(['portal_1.example', 'http://portal_1.example:8080']);
  for (const url of ['redis://:p%40ss@h:6380/2?family=6', 'rediss://u:p@[::1]', 'redis://h/'])
    expect(load({ REDIS_URL: url }).redisUrl).toBe(url);
});

it('takes the modes of TLS that the driver warns of for what it makes of them, and says nothing', () => {
  const warned = vi.spyOn(process, 'emitWarning');
  onTestFinished(() => warned.mockRestore());
  const urlOf = (parameters: string) =>
    load({ DATABASE_URL: `postgres://u:p%40@h/db?${parameters}` }).databaseUrl;
  for (const mode of ['prefer', 'require', 'verify-ca'])
    expect(urlOf(`sslmode=${mode}&application_name=x`)).toBe(
      'postgres://u:p%40@h/db?sslmode=verify-full&application_name=x',
    );
  for (const as of ['sslmode=no-verify', 'uselibpqcompat=true&sslmode=require', 'host=%2Frun&port=5433'])
    expect(urlOf(as)).toBe(`postgres://u:p%40@h/db?${as}`);
  expect(warned).not.toHaveBeenCalled();
});
