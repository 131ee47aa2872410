import { workspaceRoles } from '@portico/sdk/portal';
import type { ListName, OpenTask, TaskName } from '@portico/server/administer';
import { type Command, defineCommand } from '../../command.ts';
import { type Positionals, settingsNote, withList, withTask } from '../../database.ts';
import { showJson, showRecord, showTable } from '../../output/show.ts';
import type { Row } from '../../output/table.ts';
import { printAll } from '../../output/terminal.ts';

type TextOption = { type: 'string'; value: string; choices?: readonly string[]; about: string };
type Switch = { type: 'boolean'; about: string };
type Options = Readonly<Record<string, TextOption | Switch>>;

export const json = { type: 'boolean', about: 'print JSON' } as const;

/** What several of them take. */
export const common = {
  institution: { type: 'string', value: 'ID', about: 'the institution' },
  workspace: { type: 'string', value: 'ID', about: 'the workspace' },
  account: { type: 'string', value: 'ID|EMAIL', about: 'the account, by its id or its e-mail address' },
  role: {
    type: 'string',
    value: 'ROLE',
    choices: workspaceRoles,
    about: 'OWNER, MEMBER or VIEWER',
  },
  name: { type: 'string', value: 'NAME', about: 'its name, at most 128 characters' },
} as const satisfies Options;

export const newId = (what: string) =>
  ({
    type: 'string',
    value: 'ID',
    about: `id of the new ${what}: up to 64 letters, digits, dots, dashes, underscores`,
  }) as const;

/** --owner-email → ownerEmail, as the server names it. */
const fieldOf = (option: string) =>
  option.replace(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase());

type Values = { [option: string]: string | string[] | boolean | undefined };

const givenOf = (values: Values) =>
  Object.fromEntries(Object.entries(values).map(([option, value]) => [fieldOf(option), value]));

type Texts = {
  summary: string;
  /** What is named without a dash, by the field that it is. */
  positionals?: Positionals;
  options?: Options;
  notes?: string;
  examples: readonly string[];
};

/** Does it, and shows what came of it. */
export const showing =
  (asJson: boolean | undefined) =>
  async ({ perform }: OpenTask): Promise<void> => {
    const answer = await perform();
    if (asJson) showJson(answer);
    else showRecord(answer as Row); // answers are objects of plain values
  };

/** A command that does something, and shows what came of it. What is missing or misshaped the server's own rules tell. */
export function taskCommand(
  name: string,
  task: TaskName,
  {
    summary,
    positionals = {},
    options = {},
    notes,
    examples,
    note = settingsNote,
  }: Texts & { note?: string },
): Command {
  return defineCommand({
    name: `admin ${name}`,
    summary,
    positionals: Object.values(positionals),
    options: { ...options, json },
    notes: [note, ...(notes === undefined ? [] : [notes])].join('\n\n'),
    examples: examples.map((example) => `portico admin ${name}${example}`),
    async run({ positionals: named, values: { json: asJson, ...values } }) {
      const given = Object.fromEntries(Object.keys(positionals).map((field, index) => [field, named[index]]));
      await withTask(task, { ...givenOf(values), ...given }, showing(asJson), positionals);
    },
  });
}

/** One array in which every record has a line of its own, printed as it is read: one that breaks off is no JSON. */
async function printArray(batches: AsyncIterable<object[]>): Promise<void> {
  let isFirst = true;
  for await (const rows of batches) {
    await printAll(rows.map((row, index) => `${isFirst && index === 0 ? '[' : ','}${JSON.stringify(row)}`));
    isFirst = false;
  }
  await printAll([isFirst ? '[]' : ']']);
}

const listNote = `With --json one array, a record a line, printed as it is read; one that breaks off is no JSON. A table shows its
header again after a thousand rows.`;

export function listCommand(name: string, list: ListName, texts: Texts): Command {
  const { summary, options = {}, examples } = texts;
  return defineCommand({
    name: `admin ${name}`,
    summary,
    positionals: [],
    options: { ...options, json },
    notes: `${settingsNote}\n\n${listNote}`,
    examples: examples.map((example) => `portico admin ${name}${example}`),
    async run({ values: { json: asJson, ...values } }) {
      await withList(list, givenOf(values), async ({ batches }) => {
        if (asJson) return printArray(batches());
        for await (const rows of batches()) showTable(rows as Row[]); // records are objects of plain values
      });
    },
  });
}
