import type { Caller } from '../server/src/auth/open-chain.ts';
import { pageStatement } from '../server/src/contract/collection.ts';
import { institutionFiles } from '../server/src/resources/files/collection.ts';
import { transfers } from '../server/src/resources/transfers/collection.ts';
import { type Case, size } from './cases.ts';
import type { Statement } from './load.ts';
import type { Population } from './populations.ts';
import { filtersOf } from './requests.ts';

/** The statement by which the service reads a page, from the service's own code. */
export function bareStatement(measured: Case, population: Population, page: number): Statement {
  const declared = measured.resource === 'files' ? institutionFiles : transfers;
  const request = { page: BigInt(page), size, sort: [measured.sort ?? declared.defaultSort] };
  const caller = { workspaceId: population.workspaceIds[0], mode: 'LIVE' } as Caller; // all that the collection looks at
  const conditions =
    measured.resource === 'files'
      ? institutionFiles.where(population.institutionId, {
          institutionBizId: population.institutionBizId,
          ...filtersOf(measured, population),
        })
      : transfers.where(caller, {});
  const { text, values } = pageStatement(declared, conditions, request);
  return { text, values: [...values] };
}
