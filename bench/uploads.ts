import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEnd } from './closing.ts';
import { memoryOf } from './cost.ts';
import { type ServerProcess, startProcess } from './processes.ts';
import { median, signIn, startDatabase, startPortico } from './world.ts';

const chunk = Buffer.alloc(64 * 1024, 'Portico ');
const chunksEachMiB = 16;
const boundary = 'a-boundary-of-the-benchmark';
const rounds = 5;

export type UploadsResult = {
  sizeMiB: number;
  /** Of one upload at a time, medians of rounds in turn. */
  porticoMiBps: number;
  bareMiBps: number;
  /** Of SHA-256 alone, on one core: nothing that hashes what it takes is faster. */
  hashMiBps: number;
  atOnce: number;
  atOnceMiBps: number;
  /** Of the service: before the first upload, and at most while many arrived at once. Undefined where there is no /proc. */
  idleMiB?: number;
  busyMiB?: number;
  errors: number;
};

type Sizes = { sizeMiB: number; atOnce: number; rounds: number };

const field = (name: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/** A form like that of the portal, and as many bytes for both servers. */
const head = Buffer.from(
  [
    field('institutionBizId', 'INST_DEMO'),
    field('workspaceBizId', 'WS_DEMO'),
    field('fileCategory', '99'),
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="bench.txt"\r\n`,
    'Content-Type: text/plain\r\n\r\n',
  ].join(''),
);
const tail = Buffer.from(`\r\n--${boundary}--\r\n`);

function* bodyOf(sizeMiB: number): Generator<Buffer> {
  yield head;
  for (let sent = 0; sent < sizeMiB * chunksEachMiB; sent += 1) yield chunk;
  yield tail;
}

async function upload(port: number, headers: Record<string, string>, sizeMiB: number): Promise<boolean> {
  const length = head.length + sizeMiB * chunksEachMiB * chunk.length + tail.length;
  const options = { host: '127.0.0.1', port, path: '/web/v1/files', method: 'POST', agent: false };
  const all = {
    ...headers,
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': length,
  };
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, headers: all }, (response) => {
      buffer(response).then(() => resolve(response.statusCode === 201), reject);
    }).on('error', reject);
    Readable.from(bodyOf(sizeMiB)).pipe(sent);
  });
}

/** Looks at the memory of a process, again and again, until the work is done. */
async function peakDuring(pid: number, work: Promise<unknown>): Promise<number | undefined> {
  let isOver = false;
  const end = work.finally(() => {
    isOver = true;
  });
  let most = memoryOf(pid)?.rssMiB;
  while (!isOver) {
    await sleep(10);
    most = Math.max(most ?? 0, memoryOf(pid)?.rssMiB ?? 0) || undefined;
  }
  await end;
  return most;
}

type Ground = { portico: ServerProcess; bare: ServerProcess; stop(): Promise<void> };

async function openGround(): Promise<Ground> {
  const home = mkdtempSync(join(tmpdir(), 'portico-uploads-'));
  atEnd(() => rmSync(home, { recursive: true, force: true }));
  const database = await startDatabase();
  const portico = await startPortico(database.url, { PORTICO_HOME: home });
  const bare = await startProcess(['--import', 'tsx', 'bench/targets/disk-upload.ts'], { UPLOADS: home });
  return {
    portico,
    bare,
    async stop() {
      await portico.stop();
      await bare.stop();
      await database.stop();
    },
  };
}

function hashRate(sizeMiB: number): number {
  const begun = performance.now();
  const hash = createHash('sha256');
  for (let done = 0; done < sizeMiB * chunksEachMiB; done += 1) hash.update(chunk);
  hash.digest();
  return sizeMiB / ((performance.now() - begun) / 1000);
}

/** How fast a file arrives, beside a server that does nothing but write it; and what many at once cost in memory. */
export async function measureUploads({
  sizeMiB = 90,
  atOnce = 10,
  rounds: roundsEach = rounds,
}: Partial<Sizes> = {}): Promise<UploadsResult> {
  const { portico, bare, stop } = await openGround();
  const { authorization = '' } = await signIn(portico.port);
  let errors = 0;
  const timed = async (port: number, count: number) => {
    const begun = performance.now();
    const each = () => upload(port, { authorization }, sizeMiB);
    const isGood = await Promise.all(Array.from({ length: count }, each));
    errors += isGood.filter((good) => !good).length;
    return (count * sizeMiB) / ((performance.now() - begun) / 1000);
  };
  const idleMiB = memoryOf(portico.pid)?.rssMiB;
  const crowd = timed(portico.port, atOnce);
  const busyMiB = await peakDuring(portico.pid, crowd);
  const rates: [number[], number[]] = [[], []];
  const hashRates: number[] = [];
  for (let round = -1; round < roundsEach; round += 1) {
    hashRates.push(hashRate(sizeMiB));
    for (const [index, { port }] of [portico, bare].entries()) {
      const rate = await timed(port, 1);
      if (round >= 0) rates[index]?.push(rate); // the first round warms up
    }
  }
  await stop();
  const [own, other] = rates.map((each) => Math.round(median(each)));
  return {
    sizeMiB,
    porticoMiBps: own ?? 0,
    bareMiBps: other ?? 0,
    hashMiBps: Math.round(median(hashRates)),
    atOnce,
    atOnceMiBps: Math.round(await crowd),
    ...(idleMiB === undefined ? {} : { idleMiB: Math.round(idleMiB) }),
    ...(busyMiB === undefined ? {} : { busyMiB: Math.round(busyMiB) }),
    errors,
  };
}
