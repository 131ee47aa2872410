import { pageStatement } from '../server/src/contract/page-statement.ts';
import { bagOf } from '../server/src/contract/page-values.ts';
import { createPreparation } from '../server/src/db/sql.ts';
import { institutionFiles } from '../server/src/resources/files/collection.ts';
import { transfers } from '../server/src/resources/transfers/collection.ts';
import { type Case, size } from './cases.ts';
import type { Statement } from './load.ts';
import type { Population } from './populations.ts';
import { filtersOf } from './requests.ts';

/** One name for one text, as the service has it. */
const { prepare } = createPreparation();

/** The statement by which the service reads a page, from the service's own code. */
export function bareStatement(measured: Case, population: Population, page: number): Statement {
  const declared = measured.resource === 'files' ? institutionFiles : transfers;
  const given: { [name: string]: unknown } = filtersOf(measured, population);
  const filters = Object.entries(declared.filterBy)
    .filter(([name]) => given[name] !== undefined)
    .map(([name, { read }]) => [name, read?.(given[name]) ?? given[name]] as const);
  const shape = {
    sort: [measured.sort ?? declared.defaultSort],
    filters: filters.map(([name]) => name),
    isFirst: page === 0,
  };
  const statement = prepare(pageStatement(declared, declared.place.select, shape));
  const values = bagOf({
    place: {
      account: 'ACC_DEMO_OWNER',
      institution: population.institutionBizId,
      workspaceId: population.workspaceIds[0],
      mode: 'LIVE',
    },
    filter: Object.fromEntries(filters),
    page: { offset: page * size, size },
  });
  return { name: statement.name, text: statement.text, values: statement.bind(values) };
}
