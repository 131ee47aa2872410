import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildOnce, freePort, makeFolder, removeFolder, Service } from './service-process.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const tour = readme.slice(readme.indexOf('## A tour'), readme.indexOf('## Call it'));

/** Commands and, behind each, what the page says they answer. */
const steps = [...tour.matchAll(/```\n([^`]*)```\n```json\n([^`]*)\n```/g)].map(
  ([, command = '', answer = '']) => ({ command, answer }),
);
const [, signIn = ''] = /```\n(TOKEN=[\s\S]*?)```/.exec(tour) ?? [];
const [, replay = ''] = /nonce is refused:\n\n```json\n(.*)\n```/.exec(tour) ?? [];

/** The demo world is dated from when it is loaded; what comes with the database is not. */
const demoTime = /(?<!"schemaVersion": 1},.*)"(createdAt|updatedAt)":"([^"]+)"/g;
const timesOf = (texts: readonly string[]) =>
  texts.flatMap((text) => [...text.matchAll(demoTime)].map(([, , time = '']) => Date.parse(time)));
const withoutTime = (text: string) =>
  text
    .replace(/"timestamp":\d+/, '"timestamp":0')
    .replace(demoTime, '"$1":""')
    .trim();

describe('the tour of the README', () => {
  it('answers what the page shows, command by command', async () => {
    buildOnce();
    expect(steps).toHaveLength(5);
    const folder = makeFolder();
    onTestFinished(() => removeFolder(folder));
    const port = await freePort();
    await new Service({ cwd: folder, env: { PORT: String(port) } }).ready();
    const script = [
      signIn,
      ...steps.map(({ command }) => command),
      steps.at(-1)?.command.split('\n').at(-2) ?? '',
    ];
    const pasted = script.join("\nprintf '\\n---\\n'\n").replaceAll(':8080', `:${port}`);
    const [token, ...answers] = execFileSync('bash', ['-c', pasted], { encoding: 'utf8' }).split('\n---\n');
    expect(token).toMatch(/^ey[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const shown = [...steps.map(({ answer }) => answer), replay];
    expect(answers.map(withoutTime)).toEqual(shown.map(withoutTime));
    const moved = timesOf(answers).map((time, index) => time - (timesOf(shown)[index] ?? 0));
    expect(moved).toHaveLength(3);
    expect(new Set(moved).size).toBe(1);
  });
});
