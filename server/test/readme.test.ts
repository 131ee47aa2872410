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

const withoutTime = (text: string) => text.replace(/"timestamp":\d+/, '"timestamp":0').trim();

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
    expect(answers.map(withoutTime)).toEqual([...steps.map(({ answer }) => answer), replay].map(withoutTime));
  });
});
