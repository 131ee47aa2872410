import { prepareOnce, type Sql } from '../server/src/db/sql.ts';

/** A word, a quoted text, a sign, or what stands in parentheses or brackets. */
type Piece = string | Group;
type Group = { open: string; close: string; inside: Piece[] };

const widthMax = 110;

/** The statement with the names of its parameters, and with the values that it always has. */
function named(statement: Sql): string {
  const values = prepareOnce(statement, 'brief').bind(
    new Proxy({}, { get: (_none, name) => ({ name: String(name) }) }),
  );
  const show = (value: unknown) =>
    typeof value === 'object' && value !== null && 'name' in value ? `:${value.name}` : `'${value}'`;
  return statement.strings.reduce((text, part, index) => `${text}${show(values[index - 1])}${part}`);
}

const pairs: Record<string, string> = { '(': ')', '[': ']' };

function parse(text: string): Piece[] {
  const stack: Piece[][] = [[]];
  for (const [token] of text.matchAll(/\s+|'(?:[^']|'')*'|"[^"]*"|[()[\],]|[^\s'"()[\],]+/g)) {
    const close = pairs[token];
    if (close !== undefined) {
      const inside: Piece[] = [];
      stack.at(-1)?.push({ open: token, close, inside });
      stack.push(inside);
    } else if (token === ')' || token === ']') stack.pop();
    else stack.at(-1)?.push(/^\s/.test(token) ? ' ' : token);
  }
  return stack[0] ?? [];
}

const inline = (pieces: Piece[]): string =>
  pieces
    .map((piece) => (typeof piece === 'string' ? piece : piece.open + inline(piece.inside) + piece.close))
    .join('')
    .replace(/ +/g, ' ')
    .replace(/ ,/g, ',')
    .trim();

const clause = /^(with|select|from|left|cross|join|where|order|limit|union)$/;
const isQuery = (pieces: Piece[]) => /^(select|with) /.test(inline(pieces));

/** Cut before every piece at which something begins. */
function cut(pieces: Piece[], begins: (piece: Piece, before: string) => boolean): Piece[][] {
  const parts: Piece[][] = [[]];
  let before = '';
  for (const piece of pieces) {
    if (begins(piece, before)) parts.push([]);
    parts.at(-1)?.push(piece);
    if (piece !== ' ') before = typeof piece === 'string' ? piece : '';
  }
  return parts.filter((part) => inline(part) !== '');
}

/** What a function is given, or an array has: one a line where that is much. */
function list({ open, inside }: Group, indent: string): string {
  const items = cut(inside, (_piece, before) => before === ',');
  if (open === '(' && items.length <= 3) return flow(inside, indent);
  return `\n${items.map((item) => `${indent}  ${flow(item, `${indent}  `)}`).join('\n')}\n${indent}`;
}

/** Groups that fit stay in their line; a query that does not is written below, one clause a line. */
function flow(pieces: Piece[], indent: string): string {
  const isShort = inline(pieces).length + indent.length <= widthMax;
  const texts = pieces.map((piece) => {
    if (typeof piece === 'string') return piece;
    if (isShort || inline(piece.inside).length < 40) return inline([piece]);
    const { open, close, inside } = piece;
    const text = isQuery(inside) ? `\n${lines(inside, `${indent}  `)}\n${indent}` : list(piece, indent);
    return open + text + close;
  });
  return texts
    .join('')
    .replace(/(\S) +/g, '$1 ')
    .replace(/ ,/g, ',')
    .trim();
}

/** A list by its commas, conditions by their ands. */
function clauseLines(part: Piece[], indent: string): string {
  const text = inline(part);
  if (text.length + indent.length <= widthMax) return `${indent}${text}`;
  const [first = [], ...others] = cut(part, (piece, before) =>
    /^(select|with) /.test(text) ? before === ',' : piece === 'and',
  );
  const deeper = text.startsWith('with ') ? indent : `${indent}  `;
  return [`${indent}${flow(first, indent)}`, ...others.map((item) => `${deeper}${flow(item, deeper)}`)].join(
    '\n',
  );
}

function lines(query: Piece[], indent: string): string {
  const clauses = cut(
    query,
    (piece, before) =>
      typeof piece === 'string' && clause.test(piece) && !(piece === 'join' && /^(left|cross)$/.test(before)),
  );
  return clauses.map((part) => clauseLines(part, indent)).join('\n');
}

/** A statement as a person would write it. Only spaces and line breaks differ, and parameters have names. */
export function readableSql(statement: Sql): string {
  return `${lines(parse(named(statement)), '')};\n`;
}
