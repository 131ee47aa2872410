import type { Command } from './command.ts';
import { exitCodes } from './failure.ts';

const environment = [
  ['PORTICO_URL', 'address of the server, default http://127.0.0.1:8080'],
  ['PORTICO_KEY_ID', 'API key that signs'],
  ['PORTICO_SECRET', 'its secret'],
  ['PORTICO_TOKEN', 'access token for the portal, instead of portico login'],
  ['PORTICO_PROFILE', 'name of the profile, default default'],
  ['DATABASE_URL', 'database of the server, for portico tally'],
  ['PORTICO_HOME', 'home of its embedded database when DATABASE_URL is unset, default .portico'],
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

export function generalHelp(commands: readonly Command[]): string {
  return `portico signs and calls Portico's Open API, manages its API keys and verifies the counts in its database.

usage: portico COMMAND [arguments] [options]

commands:
${columns(commands.map((command) => [command.name, command.summary] as const))}

options:
${columns([
  ['--help', 'this text; after a command, that of the command'],
  ['--version', 'version of the tool'],
])}

environment:
${columns(environment)}

What the environment does not say is read from the profile, in portico/profiles.json under
XDG_CONFIG_HOME or ~/.config; login and keys create --save write it, for your eyes alone.

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

/** Of a word that only begins commands of two words. */
export function groupHelp(group: string, commands: readonly Command[]): string {
  return `usage: portico ${group} COMMAND [options]

commands:
${columns(commands.map((command) => [command.name, command.summary] as const))}

portico ${group} COMMAND --help shows options and examples.`;
}
