/** A piece of SQL with its parameters. Pieces are told from values by class, never by shape. */
export class Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
  /** Planned once for each connection under this name; without one, each time. */
  readonly name: string | undefined;

  constructor(strings: readonly string[], values: readonly unknown[], name?: string) {
    this.strings = strings;
    this.values = values;
    this.name = name;
  }

  get text(): string {
    return this.strings.reduce((text, part, index) => `${text}$${index}${part}`);
  }
}

/** A value that is not known yet, by its name. */
class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Stands for a value that each execution of a prepared statement gives. */
export function parameter(name: string): Sql {
  return new Sql(['', ''], [new Parameter(name)]);
}

/** The cost of a brief statement has a bound by the way it is made; that of a long one grows with the data. */
export type Effort = 'brief' | 'long';

export type Prepared = {
  /** Empty: it is planned anew each time, for its values. */
  name: string;
  text: string;
  effort: Effort;
  bind(values: Given): unknown[];
};

type Given = { [parameter: string]: unknown };

const valuesOf = ({ values }: Sql, given: Given) =>
  values.map((value) => (value instanceof Parameter ? given[value.name] : value));

/** The statement with the values that it had left open. */
export function filled(statement: Sql, given: Given): Sql {
  return new Sql(statement.strings, valuesOf(statement, given), statement.name);
}

/** For a statement that is asked once, or whose best plan depends on its values. */
export function prepareOnce(statement: Sql, effort: Effort): Prepared {
  return { name: '', text: statement.text, effort, bind: (given) => valuesOf(statement, given) };
}

/** Brief statements that are planned once for each connection; one text is one of them, whoever asks for it. */
export function createPreparation() {
  const known = new Map<string, Prepared>();
  return {
    prepare(statement: Sql): Prepared {
      const once = prepareOnce(statement, 'brief');
      const prepared = { ...once, name: known.get(once.text)?.name ?? `portico_${known.size + 1}` };
      known.set(once.text, prepared);
      return prepared;
    },
    known: () => [...known.values()],
  };
}

/** Values become parameters, nested pieces are spliced in; nothing else reaches the statement's text. */
export function sql(strings: TemplateStringsArray, ...inserts: unknown[]): Sql {
  const texts = [strings[0] ?? ''];
  const values: unknown[] = [];
  const append = (text: string) => {
    texts[texts.length - 1] += text;
  };
  inserts.forEach((insert, index) => {
    if (insert instanceof Sql) {
      insert.strings.forEach((text, at) => {
        if (at > 0) {
          values.push(insert.values[at - 1]);
          texts.push('');
        }
        append(text);
      });
    } else {
      values.push(insert);
      texts.push('');
    }
    append(strings[index + 1] ?? '');
  });
  return new Sql(texts, values);
}

export function join(pieces: readonly Sql[], separator: Sql): Sql {
  return pieces.reduce((all, piece, index) => (index === 0 ? piece : sql`${all}${separator}${piece}`), sql``);
}

/** The same statement, planned once for each connection. A name must stand for one text, and its best plan depend on no value. */
export function named(name: string, { strings, values }: Sql): Sql {
  return new Sql(strings, values, `portico_${name}`);
}

/** Text of our own making, such as a column's alias. Never pass what a client sent. */
export function trusted(text: string): Sql {
  return new Sql([text], []);
}

/** A point in time from epoch milliseconds. */
export function instant(epochMs: number | Sql): Sql {
  return sql`to_timestamp(${epochMs}::float8 / 1000)`;
}

/** A time as it leaves: ISO 8601 in UTC with milliseconds, which is no form of PostgreSQL's own. */
export function isoTime(column: Sql): Sql {
  return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
