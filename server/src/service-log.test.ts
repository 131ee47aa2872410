import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createServiceLog } from './service-log.ts';

function openFile() {
  const folder = mkdtempSync(join(tmpdir(), 'portico-service-log-'));
  const path = join(folder, 'log');
  const fd = openSync(path, 'a');
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return { fd, lines: () => readFileSync(path, 'utf8').split('\n').filter(Boolean) };
}

const source = new URL('./service-log.ts', import.meta.url).href;
const script = (work: string) => [
  ...['--import', 'tsx', '--input-type=module', '-e'],
  `const { createServiceLog } = await import('${source}'); const { logger } = createServiceLog('info'); ${work}`,
];

describe('the log of the service', () => {
  it('has every line in its order, and those that wait when it is asked to write them', () => {
    const { fd, lines } = openFile();
    const { logger, flush } = createServiceLog('info', fd);
    for (let number = 0; number < 1000; number += 1) logger.info({ number }, 'line');
    flush();
    expect(lines().map((line) => JSON.parse(line).number)).toEqual(
      Array.from({ length: 1000 }, (_none, number) => number),
    );
  });

  it('writes a warning at once, with what came before it, and anything soon', async () => {
    const { fd, lines } = openFile();
    const { logger } = createServiceLog('info', fd);
    logger.info('before');
    logger.warn('now');
    await expect.poll(() => lines().length).toBe(2);
    logger.info('later');
    await expect.poll(() => lines().length).toBe(3);
  });

  it('ends nothing where it cannot be written, and the process ends as it should', ({ skip }) => {
    if (!existsSync('/dev/full')) skip('there is no /dev/full here');
    const work = `
      logger.warn('on a full disk');
      setTimeout(() => { logger.warn('again'); process.exit(7); }, 300);`;
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, script(work), { stdio: ['ignore', full, 'pipe'] });
    expect([status, String(stderr)]).toEqual([7, '']);
  });

  it('loses no line when the process ends by itself, or by a mistake of its own', () => {
    const work = 'for (let n = 0; n < 500; n += 1) logger.info({ n }, "line");';
    expect(
      execFileSync(process.execPath, script(`${work} process.exit(0)`))
        .toString()
        .split('\n'),
    ).toHaveLength(501);
    expect(execFileSync(process.execPath, script(work)).toString().split('\n')).toHaveLength(501);
  });

  it('keeps a bounded number of bytes for who does not read, and tells how many lines that cost', async () => {
    const work = `
      const line = 'x'.repeat(100_000);
      for (let n = 0; n < 400; n += 1) logger.info({ line });
      process.stderr.write('written');
      process.stdin.on('data', () => logger.info('again'));`; // at its end it ends by itself, once all is read
    const child = spawn(process.execPath, script(work), { stdio: ['pipe', 'pipe', 'pipe'] });
    const ended = new Promise((resolve) => child.once('close', resolve));
    await new Promise((resolve) => child.stderr.once('data', resolve));
    let output = '';
    child.stdout.on('data', (data: Buffer) => {
      output += data;
    });
    await expect
      .poll(() => {
        child.stdin.write('a line');
        return output;
      })
      .toContain('dropped');
    child.stdin.end();
    await ended;
    const lines = output.split('\n').filter(Boolean);
    const written = lines.filter((line) => line.includes('xxx')).length;
    const dropped = lines.reduce((sum, line) => sum + (JSON.parse(line).count ?? 0), 0);
    expect(dropped + written).toBe(400);
    expect(written).toBeLessThan(200);
  });
});
