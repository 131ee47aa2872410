import type { Command } from './command.ts';
import { exitCodes } from './failure.ts';

const environment = [
  ['PORTICO_URL', 'address of the server, default http://127.0.0.1:8080'],
  ['PORTICO_KEY_ID', 'API key that signs'],
  ['PORTICO_SECRET', 'its secret'],
  ['PORTICO_TOKEN', 'access token for the portal, instead of portico login'],
  ['PORTICO_PROFILE', 'name of the profile where --profile names none, default default'],
  ['DATABASE_URL', 'database of the server, for portico tally, audit and admin'],
  ['PORTICO_HOME', 'home of its embedded database when DATABASE_URL is unset, default .portico'],
  ['PORTICO_PUBLIC_URL', 'where links lead to that portico admin prints, as for the server'],
  ['PORTICO_MASTER_KEY', 'as for the server, where portico admin seals something: keys that sign, mails'],
  ['NO_COLOR', 'no colours on a terminal either'],
] as const;

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`).join('\n');
}

const exitCodeRows = Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning] as const);

function usage({ name, positionals, options }: Command): string {
  const hasOptions = Object.keys(options).length > 0;
  return ['portico', name, ...positionals, ...(hasOptions ? ['[options]'] : [])].join(' ');
}

/** Too many for one page: a line stands for all of them. */
const ownPage = 'admin';
const ownPageAbout = 'institutions, workspaces, accounts, members and more: portico admin --help';

function commandRows(commands: readonly Command[]) {
  const rows = commands
    .filter(({ name }) => !name.startsWith(`${ownPage} `))
    .map(({ name, summary }) => [name, summary] as const);
  return [...rows, [ownPage, ownPageAbout] as const];
}

export function generalHelp(commands: readonly Command[]): string {
  return `portico signs and calls Portico's Open API and manages its API keys; for operators, it administers Portico in its database.

usage: portico COMMAND [arguments] [options]

commands:
${columns(commandRows(commands))}

options:
${columns([
  ['--help', 'this text; after a command, that of the command'],
  ['--version', 'version of the tool'],
])}

environment:
${columns(environment)}

What the environment does not say is read from the profile, in portico/profiles.json under
XDG_CONFIG_HOME or ~/.config; login, logout and keys --save write it, for your eyes alone.

exit codes:
${columns(exitCodeRows)}`;
}

export function commandHelp(command: Command): string {
  const { options, examples, notes, summary } = command;
  const rows = Object.entries(options).map(([name, { value, about, multiple }]) => {
    const repeated = multiple === true ? `${about}; may be repeated` : about;
    return [value === undefined ? `--${name}` : `--${name} ${value}`, repeated] as const;
  });
  return [
    `${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
    `usage: ${usage(command)}`,
    ...(rows.length === 0 ? [] : [`options:\n${columns(rows)}`]),
    ...(notes === undefined ? [] : [notes]),
    `examples:\n${examples.map((example) => `  ${example}`).join('\n')}`,
  ].join('\n\n');
}

/** Commands of one kind stand together, as columns of one width. */
function paragraphs(commands: readonly Command[]): string {
  const lines = columns(commands.map(({ name, summary }) => [name, summary])).split('\n');
  const kind = (at: number) => commands[at]?.name.split(' ').slice(0, -1).join(' ');
  return lines.map((line, at) => (at > 0 && kind(at) !== kind(at - 1) ? `\n${line}` : line)).join('\n');
}

/** Of words that only begin commands. */
export function groupHelp(group: string, commands: readonly Command[]): string {
  return `usage: portico ${group} COMMAND [options]

commands:
${paragraphs(commands)}

portico ${group} COMMAND --help shows options and examples.`;
}
