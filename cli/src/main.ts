import { commands } from './catalogue.ts';
import type { Command } from './command.ts';
import { reportOf } from './errors.ts';
import { wrongUsage } from './failure.ts';
import { commandHelp, generalHelp, groupHelp } from './help.ts';
import { suggestion } from './nearest.ts';
import { print } from './output/terminal.ts';
import { version } from './version.ts';

const inGroup = (group: string) => commands.filter(({ name }) => name.startsWith(`${group} `));

/** By now it is in the process list and in the shell's history, so the line says what is left to do. */
function refuseSecrets(args: readonly string[]): void {
  if (!args.some((arg) => /sk_(live|test)_[0-9A-Za-z]{49}/.test(arg))) return;
  throw wrongUsage(
    'a secret is never taken from the command line, where others can read it: use PORTICO_SECRET or the profile, and rotate this one',
  );
}

function findCommand(args: readonly string[]): { command: Command; rest: readonly string[] } | undefined {
  for (const words of [3, 2, 1]) {
    const name = args.slice(0, words).join(' ');
    const command = commands.find((each) => each.name === name);
    if (command !== undefined) return { command, rest: args.slice(words) };
  }
  return undefined;
}

/** The longest group that the words begin with, and the word after it. */
function findGroup(words: readonly string[]): { group: string; next: string | undefined } | undefined {
  for (const length of [2, 1]) {
    const group = words.slice(0, length).join(' ');
    if (words.length >= length && inGroup(group).length > 0) return { group, next: words[length] };
  }
  return undefined;
}

function refuseUnknown(args: readonly string[]): never {
  const [first = ''] = args;
  const found = findGroup(args);
  if (found !== undefined) {
    const { group, next } = found;
    const words = group.split(' ').length + 1;
    const names = [...new Set(inGroup(group).map(({ name }) => name.split(' ', words).join(' ')))];
    throw wrongUsage(
      next === undefined || next.startsWith('-')
        ? `what about ${group}? One of: ${names.join(', ')}`
        : `there is no command ${group} ${next}${suggestion(`${group} ${next}`, names)}`,
    );
  }
  if (first.startsWith('-'))
    throw wrongUsage(`there is no option ${first} before a command: see portico --help`);
  const words = [...new Set(commands.map(({ name }) => name.split(' ', 1)[0] ?? name))];
  throw wrongUsage(`there is no command ${first}${suggestion(first, words) || ': see portico --help'}`);
}

function help(args: readonly string[]): string {
  const named = findCommand(args);
  if (named !== undefined) return commandHelp(named.command);
  const words = args.filter((arg) => !arg.startsWith('-'));
  if (words.length === 0) return generalHelp(commands);
  const found = findGroup(words);
  return found !== undefined && found.next === undefined
    ? groupHelp(found.group, inGroup(found.group))
    : refuseUnknown(args);
}

async function run(args: readonly string[]): Promise<void> {
  refuseSecrets(args);
  if (args[0] === 'help') return print(help(args.slice(1)));
  if (args.includes('--help') || args.includes('-h')) return print(help(args));
  if (args[0] === '--version') return print(version());
  if (args.length === 0) throw wrongUsage('what is to be done? portico --help lists the commands');
  const found = findCommand(args) ?? refuseUnknown(args);
  await found.command.execute(found.rest);
}

// Whoever reads us may stop early, as head does; that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

try {
  await run(process.argv.slice(2));
} catch (error) {
  const { line, exitCode } = reportOf(error);
  process.stderr.write(`${line}\n`);
  process.exitCode = exitCode;
}
