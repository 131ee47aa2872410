import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildOnce } from '../../server/test/service-process.ts';
import { commands } from '../src/catalogue.ts';
import { hasScript, onTerminal, Person } from './harness.ts';

const exec = promisify(execFile);

let person: Person;
beforeAll(async () => {
  buildOnce();
  person = new Person();
  for (const shell of ['bash', 'zsh', 'fish'])
    writeFileSync(join(person.folder, shell), (await person.run(['completion', shell])).stdout);
  writeFileSync(join(person.folder, 'kept checkpoint.jws'), '');
});
afterAll(() => person.remove());

const run = async (shell: string, script: string) =>
  (await exec(shell, ['-c', script], { cwd: person.folder, env: person.env })).stdout
    .split('\n')
    .filter(Boolean);

/** What each shell offers for a line that is typed so far. */
const offers: Record<string, (words: string[]) => Promise<string[]>> = {
  bash: (words) =>
    run(
      'bash',
      `source ./bash; COMP_WORDS=(portico ${words.map((word) => `'${word}'`).join(' ')})
      COMP_CWORD=${words.length}; _portico; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ),
  fish: async (words) => {
    const script = `source ./fish; complete -C 'portico ${words.join(' ')}'`;
    return (await run('fish', script)).map((line) => line.split('\t')[0] ?? '');
  },
};

const lines: [string, string[], string[]][] = [
  ['commands', ['au'], ['audit']],
  ['commands of a group', ['keys', 're'], ['revoke']],
  ['commands of three words', ['admin', 'member', 'set'], ['set-role']],
  ['options of a command', ['keys', 'rotate', '--g'], ['--grace']],
  ['options after arguments', ['keys', 'rotate', 'ak_x', '--workspace', 'W', '--gr'], ['--grace']],
  ['values that an option takes', ['keys', 'list', '--mode', ''], ['live', 'test']],
  ['values of a catalogue', ['keys', 'list', '--status', 'DIS'], ['DISABLED']],
  ['files where a file belongs', ['audit', 'verify', '--checkpoint', 'kept'], ['kept checkpoint.jws']],
  ['nothing where no shell knows', ['keys', 'list', '--workspace', 'W'], []],
  ['nothing after what is no command', ['xyzzy', 'l'], []],
  ['shells', ['completion', 'z'], ['zsh']],
  [
    'types of events',
    ['listen', '--types', 'transfer.c'],
    ['transfer.cancelled', 'transfer.completed', 'transfer.created'],
  ],
  ['what can be triggered', ['events', 'trigger', 'file.'], ['file.created', 'file.deleted']],
];

describe.each(Object.keys(offers))('completion in %s', (shell) => {
  it.each(lines)('offers %s', async (_what, words, expected) => {
    const offered = (await offers[shell]?.(words)) ?? [];
    const plain = offered.map((each) => each.replaceAll('\\ ', ' '));
    expect(plain.sort()).toEqual(expected);
  });

  it('knows every command', async () => {
    for (const group of ['', 'keys ', 'admin account ']) {
      const words = group.split(' ').filter(Boolean);
      const known = commands
        .filter(({ name }) => name.startsWith(group))
        .map(({ name }) => name.slice(group.length).split(' ')[0]);
      expect(await offers[shell]?.([...words, ''])).toEqual(expect.arrayContaining(known));
    }
  });
});

describe.skipIf(!hasScript)('completion in zsh', () => {
  const expected = {
    'portico au': 'portico audit ',
    'portico keys rot': 'portico keys rotate ',
    'portico admin member set': 'portico admin member set-role ',
    'portico keys rotate ak_x --gr': 'portico keys rotate ak_x --grace ',
    'portico keys list --mode l': 'portico keys list --mode live ',
    'portico keys list --status DIS': 'portico keys list --status DISABLED ',
    'portico audit verify --checkpoint kept': 'portico audit verify --checkpoint kept\\ checkpoint.jws ',
    'portico keys list --workspace W': 'portico keys list --workspace W',
    'portico xyzzy log': 'portico xyzzy log',
    'portico listen --types member.in': 'portico listen --types member.invited ',
    'portico events trigger transfer.f': 'portico events trigger transfer.failed ',
  };

  it('makes of what is typed what is meant', async () => {
    // One key completes, another prints what then stands on the line and clears it.
    const show = `show() { zle -I; print -r -- "<$BUFFER>"; BUFFER= }; zle -N show; bindkey '^X' show`;
    const setup = `PS1=; autoload -U compinit; compinit -D; source ./zsh; ${show}; print re''ady\r`;
    const [first = '', ...others] = Object.keys(expected).map((line) => `${line}\t\u0018`);
    const { stdout } = await onTerminal(person, 'zsh -fi', [
      { when: '', type: setup },
      { when: 'ready\r', type: first },
      ...others.map((type) => ({ when: '>\r', type })),
      { when: '>\r', type: 'exit\r' },
    ]);
    const shown = stripVTControlCharacters(stdout).matchAll(/<(portico [^>]*)>\r/g);
    expect([...shown].map(([, line]) => line)).toEqual(Object.values(expected));
  });
});

describe('portico completion', () => {
  it('knows three shells', async () => {
    expect(await person.run(['completion', 'tcsh'])).toMatchObject({
      code: 2,
      stderr: 'portico: there is completion for bash, zsh and fish\n',
    });
  });
});
