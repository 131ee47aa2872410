import { generate } from 'selfsigned';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  byteByByte,
  closing,
  endless,
  hung,
  ok,
  type Receiver,
  startReceiver,
  withStatus,
} from '../../test/support/receiver.ts';
import { networks } from '../config/values.ts';
import { createPoster, NotPosted, type Poster, type PosterOptions } from './post.ts';

const loopback = networks('127.0.0.0/8');
const opened: { close(): unknown }[] = [];
let receiver: Receiver;
let certificate: { private: string; cert: string };
beforeAll(async () => {
  receiver = await startReceiver();
  certificate = await generate([{ name: 'commonName', value: 'partner.example' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'partner.example' }] }],
  });
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
  receiver.received.length = 0;
  receiver.answerWith(ok);
});
afterAll(() => receiver.close());

function open(options: Partial<PosterOptions> = {}): Poster {
  const poster = createPoster({ allowed: loopback, ...options });
  opened.push(poster);
  return poster;
}

const post = (
  poster: Poster,
  url = receiver.url,
  timeoutMs = 20_000,
  signal = new AbortController().signal,
) => poster.post({ url, headers: { 'x-test': '1' }, body: '{"a":"ä"}', timeoutMs, bytesMax: 1024, signal });

const failure = async (posted: Promise<unknown>) => {
  const error = await posted.then(
    () => undefined,
    (failed: unknown) => failed,
  );
  expect(error).toBeInstanceOf(NotPosted);
  return error as NotPosted; // as was just seen
};

describe('posting to a receiver', () => {
  it('sends the body in whole and gives the status and the text, on a connection that is kept', async () => {
    const poster = open();
    const before = receiver.connections();
    for (const status of [200, 204, 404, 500]) {
      receiver.answerWith(withStatus(status, status === 204 ? '' : 'täxt\0'));
      expect(await post(poster)).toEqual({ status, text: status === 204 ? '' : 'täxt' });
    }
    expect(receiver.received.map(({ body }) => body)).toEqual(Array(4).fill('{"a":"ä"}'));
    expect(receiver.received[0]?.headers).toMatchObject({ 'x-test': '1', 'content-length': '10' });
    expect(receiver.connections()).toBe(before + 1);
  });

  it('follows no redirect', async () => {
    const other = await startReceiver();
    opened.push(other);
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.answerWith(withStatus(status, '', { location: other.url }));
      expect((await post(open())).status).toBe(status);
    }
    expect(other.received).toEqual([]);
  });

  it('heeds no proxy of the environment', async () => {
    const proxy = await startReceiver();
    opened.push(proxy);
    for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'])
      vi.stubEnv(name, proxy.url);
    expect((await post(open())).status).toBe(200);
    vi.unstubAllEnvs();
    expect(proxy.received).toEqual([]);
  });

  it('gives up on one that never answers, or never comes to an end, when its time is over', async () => {
    for (const answering of [hung, byteByByte]) {
      receiver.answerWith(answering);
      const error = await failure(post(open(), receiver.url, 300));
      expect(error.message).toBe('no complete answer within 0.3 s');
      expect(error.status).toBe(answering === hung ? null : 200);
    }
  });

  it('reads the first kilobyte of ten gigabytes and closes the connection', async () => {
    const flooding = await startReceiver((response) => {
      const { socket } = response;
      response.on('close', () => closed(socket?.bytesWritten ?? 0));
      endless(response, { path: '', headers: {}, body: '' });
    });
    opened.push(flooding);
    let closed: (bytes: number) => void = () => {};
    const poured = new Promise<number>((resolve) => {
      closed = resolve;
    });
    expect(await post(open(), flooding.url)).toEqual({ status: 200, text: 'x'.repeat(1024) });
    expect(await poured).toBeLessThan(64 * 2 ** 20); // what sockets hold, not what the receiver has
  });

  it('cuts a text between characters', async () => {
    receiver.answerWith(withStatus(200, `x${'ä'.repeat(600)}`));
    expect((await post(open())).text).toBe(`x${'ä'.repeat(511)}`);
  });

  it('fails with one that closes the connection, is not there, or speaks otherwise', async () => {
    receiver.answerWith(closing);
    expect((await failure(post(open()))).message).toBe('the connection failed: ECONNRESET');
    receiver.answerWith((response) => void response.socket?.end('SSH-2.0-OpenSSH\r\n'));
    expect((await failure(post(open()))).message).toMatch(/^the connection failed: HPE_/);
    receiver.answerWith(
      (response) => void response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'),
    );
    expect((await failure(post(open()))).status).toBe(200);
    receiver.answerWith(
      (response) =>
        void response.socket?.write('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    );
    await failure(post(open()));
    const gone = await startReceiver();
    await gone.close();
    expect((await failure(post(open(), gone.url))).message).toBe('the connection was refused');
  });

  it('sends anew when a connection that was kept has ended meanwhile', async () => {
    const poster = open();
    await post(poster);
    let asked = 0;
    receiver.answerWith((response, received) => {
      asked += 1;
      if (asked === 1) closing(response, received);
      else ok(response, received);
    });
    expect((await post(poster)).status).toBe(200);
    expect(asked).toBe(2);
  });

  it('ends when the service stops', async () => {
    const stopping = new AbortController();
    receiver.answerWith(() => stopping.abort());
    expect((await failure(post(open(), receiver.url, 20_000, stopping.signal))).message).toBe(
      'the service stopped',
    );
  });

  it('wants a certificate that is trusted and of that name', async () => {
    const secure = await startReceiver(ok, { key: certificate.private, cert: certificate.cert });
    opened.push(secure);
    const resolve = async () => ['127.0.0.1'];
    const tls = { ca: certificate.cert };
    const at = (name: string) => `https://${name}:${secure.port}/`;
    expect((await failure(post(open({ resolve }), at('partner.example')))).message).toMatch(
      /^its certificate is not accepted: /,
    );
    expect((await failure(post(open({ resolve, tls }), at('other.example')))).message).toBe(
      'its certificate is not accepted: ERR_TLS_CERT_ALTNAME_INVALID',
    );
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    await failure(post(open({ resolve }), at('partner.example')));
    vi.unstubAllEnvs();
    expect((await post(open({ resolve, tls }), at('partner.example'))).status).toBe(200);
    expect(secure.received).toHaveLength(1);
  });
});

describe('where a posting arrives', () => {
  it('is never an address that is not allowed, in a URL or behind a name', async () => {
    const port = new URL(receiver.url).port;
    const before = receiver.connections();
    const nothing = { allowed: [] };
    for (const host of ['127.0.0.1', '2130706433', '0177.1', '[::ffff:127.0.0.1]', '[::1]'])
      expect((await failure(post(open(nothing), `https://${host}:${port}/`))).message).toBe(
        'its URL must not lead to an address that is not public',
      );
    const leads = [['127.0.0.1'], ['::ffff:127.0.0.1'], ['64:ff9b::7f00:1'], ['10.0.0.1', '::1']];
    for (const addresses of leads) {
      const poster = open({ ...nothing, resolve: async () => addresses });
      expect((await failure(post(poster, `https://partner.example:${port}/`))).message).toBe(
        'its URL must not lead to an address that is not public',
      );
    }
    expect(receiver.connections()).toBe(before);
  });

  it('is the address that was checked, though the name has another one a moment later', async () => {
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return asked === 1 ? ['127.0.0.1'] : ['127.0.0.2', '10.0.0.1'];
    };
    const poster = open({ resolve, allowed: networks('127.0.0.1/32') });
    const url = `http://partner.example:${receiver.port}/`;
    expect((await post(poster, url)).status).toBe(200);
    expect(asked).toBe(1);
    const later = open({ resolve, allowed: networks('127.0.0.1/32') });
    expect((await failure(post(later, url))).message).toContain('must not lead to');
  });

  it('is looked up by nobody else: the system is not asked', async () => {
    const poster = open({ resolve: async () => ['127.0.0.1'] });
    expect((await post(poster, `http://no-such-name.invalid:${receiver.port}/`)).status).toBe(200);
  });

  it('has to be found in time, too', async () => {
    const poster = open({ resolve: () => new Promise(() => {}) });
    expect((await failure(post(poster, 'http://partner.example/', 200))).message).toContain('within 0.2 s');
  });
});
