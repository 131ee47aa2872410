import { instant, parameter, type Sql } from '../db/sql.ts';

/** The values of a statement that reads. Each kind has names of its own: a filter cannot take the seat of a value of the place. */
type ReadValues = {
  /** Where the caller looks, which the caller does not choose. */
  place: object;
  filter: object;
  page: { offset: bigint | number; size: number };
  clock: { nowMs: number };
};

type Kind = keyof ReadValues;

const named = (kind: Kind, name: string) => `${kind}.${name}`;

/** Stands for one of them. */
export const given = (kind: Kind, name: string): Sql => parameter(named(kind, name));

/** The time by the clock of the service, which is the only one. */
export const now: Sql = instant(given('clock', 'nowMs'));

/** Those that are known, by the names that the statement knows them by. */
export function bagOf(values: Partial<ReadValues>): { [parameter: string]: unknown } {
  const kinds = Object.entries(values) as [Kind, object][]; // Object.entries forgets the literal keys
  return Object.fromEntries(
    kinds.flatMap(([kind, bag]) => Object.entries(bag).map(([name, value]) => [named(kind, name), value])),
  );
}
