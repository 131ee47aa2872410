import { parseArgs } from 'node:util';
import { wrongUsage } from './failure.ts';
import { suggestion } from './nearest.ts';
import { chooseProfile } from './profile.ts';

export type Option = {
  type: 'string' | 'boolean';
  multiple?: true;
  value?: string;
  /** What shells offer for it. */
  choices?: readonly string[];
  about: string;
};
type OptionTable = Readonly<Record<string, Option>>;

type Value<Of extends Option> = Of['type'] extends 'boolean'
  ? boolean
  : Of extends { multiple: true }
    ? string[]
    : string;

type Input<Options extends OptionTable> = {
  positionals: string[];
  values: { [Name in keyof Options]?: Value<Options[Name]> };
};

type Definition<Options extends OptionTable> = {
  /** As typed after `portico`, one word to three. */
  name: string;
  summary: string;
  /** Names for the help text; in brackets those that may be left out. */
  positionals: readonly string[];
  options: Options;
  examples: readonly string[];
  notes?: string;
  run(input: Input<Options>): Promise<void>;
};

export type Command = Omit<Definition<OptionTable>, 'run'> & {
  execute(args: readonly string[]): Promise<void>;
};

/** Of every command that reads or writes the profile. */
export const profileOption = {
  profile: { type: 'string', value: 'NAME', about: 'profile to use, else that of PORTICO_PROFILE' },
} as const;

/** What people try first, and where it belongs instead. */
const secretOptions: Readonly<Record<string, string>> = {
  '--secret': 'PORTICO_SECRET or the profile',
  '--password': 'the prompt or --password-stdin',
  '--token': 'PORTICO_TOKEN or portico login',
};

function refuseUnknown(typed: string, known: readonly string[], command: string): never {
  const instead = Object.hasOwn(secretOptions, typed) ? secretOptions[typed] : undefined;
  if (instead !== undefined) {
    throw wrongUsage(`${typed} is not taken, because every user can read the process list: use ${instead}`);
  }
  const dashed = known.map((each) => `--${each}`);
  throw wrongUsage(`${command} has no option ${typed}${suggestion(typed, dashed)}`);
}

function checkPositionals(given: readonly string[], { name, positionals }: Definition<OptionTable>): void {
  const [missing] = positionals.slice(given.length).filter((each) => !each.startsWith('['));
  if (missing !== undefined) throw wrongUsage(`${missing} is missing: see portico ${name} --help`);
  if (given.length > positionals.length) {
    throw wrongUsage(`portico ${name} takes no more than ${positionals.length} arguments`);
  }
}

function parse(definition: Definition<OptionTable>, args: readonly string[]): Input<OptionTable> {
  const { options, name: command } = definition;
  const { tokens, positionals, values } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option === undefined || !rawName.startsWith('--')) {
      refuseUnknown(rawName, Object.keys(options), `portico ${command}`);
    }
    if (option.type === 'boolean' && value !== undefined) throw wrongUsage(`--${name} takes no value`);
    const looksForgotten = value === undefined || (inlineValue === false && /^-./.test(value));
    if (option.type === 'string' && looksForgotten) {
      throw wrongUsage(
        `--${name} needs ${option.value}; one that begins with a dash is written --${name}=-…`,
      );
    }
  }
  checkPositionals(positionals, definition);
  return { positionals, values: values as Input<OptionTable>['values'] }; // the loop above checked every type
}

export function defineCommand<const Options extends OptionTable>(definition: Definition<Options>): Command {
  const { run, ...rest } = definition;
  return {
    ...rest,
    async execute(args) {
      const input = parse(definition as unknown as Definition<OptionTable>, args); // any table is one of these
      const { profile } = input.values;
      if (typeof profile === 'string') chooseProfile(profile);
      await run(input as Input<Options>); // parse made the values by these very options
    },
  };
}
