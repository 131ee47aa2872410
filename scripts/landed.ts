import { readFunctions } from '../server/src/db/functions.ts';
import { readMigrations } from '../server/src/db/migrate.ts';

export const landedFile = new URL('../server/src/db/landed.txt', import.meta.url);

/** SQL that databases out there may have. A migration is one for ever, a file of functions one with each revision. */
export type Piece = { name: string; revision?: number; checksum: string };

export function lineOf({ name, revision, checksum }: Piece): string {
  return `${checksum}  ${name}${revision === undefined ? '' : ` revision ${revision}`}\n`;
}

function parseLine(line: string): Piece {
  const [, checksum = '', name = '', revision] = /^(\w{64}) {2}(\S+)(?: revision (\d+))?$/.exec(line) ?? [];
  if (name === '') throw new Error(`server/src/db/landed.txt: not a checksum and a name: ${line}`);
  return { name, checksum, ...(revision === undefined ? {} : { revision: Number(revision) }) };
}

function faultOf(landed: Piece, present: Piece[]): string | undefined {
  const { name, revision, checksum } = landed;
  const now = present.find((piece) => piece.name === name);
  if (revision === undefined) {
    if (now?.checksum === checksum) return undefined;
    return `${name} is not what landed, and databases have it as it was: put it back, and make the change in a new migration (if it never left your branch, remove its line from server/src/db/landed.txt and run npm run landed)`;
  }
  if (now?.revision === undefined || now.revision > revision || now.checksum === checksum) return undefined;
  return `${name} is not what landed as revision ${revision}, and databases would keep that: raise the revision in its first line and run npm run landed`;
}

/** What landed and was changed, as a line each that says what to do, and what has no line yet. */
export function compareLanded(text: string, present: Piece[]): { faults: string[]; lacking: Piece[] } {
  const landed = text.split('\n').filter(Boolean).map(parseLine);
  const isListed = ({ name, revision }: Piece) =>
    landed.some((piece) => piece.name === name && piece.revision === revision);
  return {
    faults: landed.flatMap((piece) => faultOf(piece, present) ?? []),
    lacking: present.filter((piece) => !isListed(piece)),
  };
}

export async function readPieces(): Promise<Piece[]> {
  const [migrations, functions] = await Promise.all([readMigrations(), readFunctions()]);
  return [
    ...migrations.map(({ name, checksum }) => ({ name: `migrations/${name}`, checksum })),
    ...functions.map(({ name, revision, checksum }) => ({ name: `functions/${name}`, revision, checksum })),
  ];
}
