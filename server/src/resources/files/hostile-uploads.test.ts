import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, listen, openConnection, requestBytes } from '../../../test/raw-http.ts';
import {
  boundary,
  demoFields,
  fieldParts,
  formOf,
  leftOf,
  sha256,
  signedUpload,
  upload,
  uploadForm,
} from '../../../test/support/files.ts';
import {
  createKey,
  type Key,
  openWorld,
  signatureHeaders,
  tokenOf,
  type World,
} from '../../../test/world.ts';
import { sql } from '../../db/sql.ts';

let world: World;
let owner: string;
let key: Key;
let port: number;
let before: Awaited<ReturnType<typeof leftOf>>;
beforeAll(async () => {
  world = await openWorld({ env: { PORTICO_UPLOAD_MAX: '2000000', PORTICO_OPEN_UPLOAD_MAX: '1500000' } });
  owner = await tokenOf(world, 'ACC_DEMO_OWNER');
  key = await createKey(world, { scopes: ['files:write'] });
  port = await listen(world);
  before = await leftOf(world);
});
afterAll(() => world.close());

const nothingIsLeft = () => expect.poll(() => leftOf(world)).toEqual(before);

const headers = (more: [string, string][] = []): [string, string][] => [
  ['Authorization', `Bearer ${owner}`],
  ['Content-Type', `multipart/form-data; boundary=${boundary}`],
  ...more,
];
const head = (more: [string, string][]) =>
  requestBytes({ method: 'POST', target: '/web/v1/files', headers: headers(more) });
const sent = (body: Buffer) =>
  exchange(port, requestBytes({ method: 'POST', target: '/web/v1/files', headers: headers(), body }));

const refused = async (answer: { status: number; text: string }, status: number, code: string) => {
  expect([answer.status, JSON.parse(answer.text).code]).toEqual([status, code]);
  await nothingIsLeft();
};

describe('a form that is wrong leaves neither row nor byte:', () => {
  const fields = fieldParts(demoFields);
  const file = { name: 'file', filename: 'a.txt', data: 'x' };
  const forms: Record<string, Buffer> = {
    'no file': formOf(fields),
    'two files': formOf([...fields, file, file]),
    'a field after the file': formOf([...fields, file, { name: 'remark', data: 'r' }]),
    'a thousand parts': formOf([
      ...Array.from({ length: 1000 }, (_none, n) => ({ name: `f${n}`, data: 'x' })),
      file,
    ]),
    'a field twice': formOf([...fields, { name: 'fileCategory', data: '9' }, file]),
    'a field without end': formOf([{ name: 'remark', data: 'x'.repeat(100_000) }, ...fields, file]),
    'a name that is not UTF-8': Buffer.from(
      uploadForm('x').toString('latin1').replace('a.txt', '\xff\xfe'),
      'latin1',
    ),
    'a name of 256 bytes': uploadForm('x', 'ü'.repeat(128)),
    'an empty name': uploadForm('x', ''),
    'no category': uploadForm('x', 'a', { ...demoFields, fileCategory: '' }),
    'a category by its name': uploadForm('x', 'a', { ...demoFields, fileCategory: 'INVOICE' }),
    'no institution': uploadForm('x', 'a', { workspaceBizId: 'WS_DEMO', fileCategory: '8' }),
    'no last boundary': uploadForm('x').subarray(0, -8),
    'no boundary at all': Buffer.from('just bytes'),
    'no bytes at all': Buffer.alloc(0),
  };
  it.each(Object.entries(forms))('%s: 400 4000', async (_what, form) =>
    refused(await sent(form), 400, '4000'),
  );

  it('another type: 415 4150, also compressed', async () => {
    for (const more of [
      { 'content-type': 'application/json' },
      { 'content-type': 'multipart/form-data' },
      { 'content-encoding': 'gzip' },
    ]) {
      const answer = await upload(world, owner, 'x', { headers: more });
      expect([answer.statusCode, answer.json().code]).toEqual([415, '4150']);
    }
    await nothingIsLeft();
  });

  it('more bytes than may be, told before they arrive or not: 413 4130', async () => {
    await refused(await sent(uploadForm(Buffer.alloc(2_000_001))), 413, '4130');
    const connection = openConnection(port);
    connection.send(head([['Content-Length', '900000000']]));
    const [told] = await connection.answers();
    await refused(told ?? { status: 0, text: '{}' }, 413, '4130');
    connection.close();
  });

  it('an endless chunked body: 413 4130 once it is more than may be, and the connection ends', async () => {
    const connection = openConnection(port);
    connection.send(head([['Transfer-Encoding', 'chunked']]));
    const chunk = (data: Buffer) =>
      Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);
    connection.send(chunk(uploadForm('').subarray(0, -boundary.length - 8)));
    for (let sent = 0; sent < 40; sent += 1) connection.send(chunk(Buffer.alloc(65_536)));
    const [answer] = await connection.answers();
    await refused(answer ?? { status: 0, text: '{}' }, 413, '4130');
    connection.socket.end();
    await connection.ended();
    connection.close();
  });

  it('a body shorter than its Content-Length, when the client closes: nothing stays', async () => {
    const connection = openConnection(port);
    const form = uploadForm('x'.repeat(1000));
    connection.send(
      Buffer.concat([
        Buffer.from(head([['Content-Length', String(form.length + 1000)]])),
        form.subarray(0, 900),
      ]),
    );
    await expect.poll(() => world.services.files.uploads.busy()).toBe(1);
    connection.close();
    await expect.poll(() => world.services.files.uploads.busy()).toBe(0);
    await nothingIsLeft();
  });
});

describe('a form that is merely strange is taken:', () => {
  const kept = async (answer: { status: number; text: string }, data: string) => {
    expect(answer.status).toBe(201);
    const { etag, bizId } = JSON.parse(answer.text).data;
    expect(etag).toBe(sha256(data));
    await world.app.inject({
      method: 'DELETE',
      url: `/web/v1/files/${bizId}`,
      headers: { authorization: `Bearer ${owner}` },
    });
    await nothingIsLeft();
  };

  it('its boundary stands in the data, but not on a line of its own', async () => {
    const data = `a --${boundary} b\r\n--${boundary}x\r\nc`;
    await kept(await sent(uploadForm(data)), data);
  });

  it('trailers follow a chunked body', async () => {
    const form = uploadForm('with trailers');
    const body = Buffer.concat([
      Buffer.from(`${form.length.toString(16)}\r\n`),
      form,
      Buffer.from('\r\n0\r\nX-Trailer: 1\r\n\r\n'),
    ]);
    const connection = openConnection(port);
    connection.send(
      Buffer.concat([
        Buffer.from(
          head([
            ['Transfer-Encoding', 'chunked'],
            ['Trailer', 'X-Trailer'],
          ]),
        ),
        body,
      ]),
    );
    const [answer] = await connection.answers();
    await kept(answer ?? { status: 0, text: '' }, 'with trailers');
    connection.close();
  });

  it('its bytes come one by one', async () => {
    const form = uploadForm('slowly');
    const connection = openConnection(port);
    connection.send(head([['Content-Length', String(form.length)]]));
    for (const byte of form) connection.send(Buffer.from([byte]));
    const [answer] = await connection.answers();
    await kept(answer ?? { status: 0, text: '' }, 'slowly');
    connection.close();
  });
});

describe('a signed upload that is wrong leaves neither row nor byte:', () => {
  const url = '/api/v1/files?filename=a&fileCategory=8';

  it('is refused by its signature before a byte of its body arrives', async () => {
    const signed = signatureHeaders(
      world,
      { ...key, secret: 'sk_live_wrong' },
      { method: 'POST', url, statedHash: sha256('x') },
    );
    const connection = openConnection(port);
    const lines: [string, string][] = [
      ...Object.entries(signed),
      ['X-Content-Sha256', sha256('x')],
      ['Content-Length', '1000000'],
    ];
    connection.send(requestBytes({ method: 'POST', target: url, headers: lines }));
    const [answer] = await connection.answers();
    await refused(answer ?? { status: 0, text: '{}' }, 401, '4012');
    connection.close();
  });

  it('states a hash in upper case, in base64, twice or not at all shaped as one: 401 4011', async () => {
    const right = sha256('x');
    const wrong = [
      right.toUpperCase(),
      Buffer.from(right, 'hex').toString('base64'),
      right.slice(1),
      `${right}0`,
      '',
    ];
    for (const stated of wrong) {
      const answer = await signedUpload(world, key, Buffer.from('x'), {
        headers: { 'x-content-sha256': stated },
      });
      expect([stated, answer.statusCode, answer.json().code]).toEqual([stated, 401, '4011']);
    }
    const signed = signatureHeaders(world, key, { method: 'POST', url, bytes: Buffer.from('x') });
    const lines: [string, string][] = [
      ...Object.entries(signed),
      ['X-Content-Sha256', right],
      ['X-Content-Sha256', right],
    ];
    const answer = await exchange(
      port,
      requestBytes({ method: 'POST', target: url, headers: lines, body: 'x' }),
    );
    await refused(answer, 401, '4011');
  });

  it('has more bytes than may be: 413 4130', async () => {
    const data = Buffer.alloc(1_500_001);
    const answer = await signedUpload(world, key, data, { states: sha256(data) });
    expect([answer.statusCode, answer.json().code]).toEqual([413, '4130']);
    await nothingIsLeft();
  });

  it('is of a key that was disabled while its body arrived: 401 4015', async () => {
    const once = await createKey(world, { scopes: ['files:write'] });
    const data = Buffer.alloc(100_000, 'x');
    const signed = signatureHeaders(world, once, { method: 'POST', url, statedHash: sha256(data) });
    const connection = openConnection(port);
    const lines: [string, string][] = [
      ...Object.entries(signed),
      ['X-Content-Sha256', sha256(data)],
      ['Content-Length', String(data.length)],
    ];
    connection.send(requestBytes({ method: 'POST', target: url, headers: lines }));
    await expect.poll(() => world.services.files.uploads.busy()).toBe(1);
    await world.db.query(sql`update api_keys set status = 'DISABLED' where id = ${once.apiKeyId}`);
    connection.send(data);
    const [answer] = await connection.answers();
    await refused(answer ?? { status: 0, text: '{}' }, 401, '4015');
    connection.close();
  });
});
