import type { AccountCaller } from '../../auth/identity.ts';
import { memberOfInstitution, type Person, person, personOf } from '../../auth/portal/roles.ts';
import type { Mode } from '../../auth/signed/api-key-lookup.ts';
import { ApiError } from '../../contract/api-error.ts';
import { given } from '../../contract/page-values.ts';
import type { Place } from '../../contract/place.ts';
import { reader } from '../../contract/validate.ts';
import { sql } from '../../db/sql.ts';
import { FilePath } from './schema.ts';

const readPath = reader(FilePath);

/** Any other value is refused when the filters are read. */
const modeIn = (body: object): Mode => ('mode' in body && body.mode === 2 ? 'TEST' : 'LIVE');

/** The institution of which the account is a member, and the mode that is asked for. */
export const memberOfMode: Place<AccountCaller, Person & { institution: string; mode: Mode }> = {
  ...memberOfInstitution,
  at: (caller, asked) => ({ ...memberOfInstitution.at(caller, asked), mode: modeIn(asked.body) }),
  select: sql`select member.*, ${given('place', 'mode')}::key_mode as mode from (${memberOfInstitution.select}) member`,
};

/** A file that is not there and one of another institution get the same answer. */
export const noSuchFile = () => new ApiError('4040', 'there is no such file');

/** A file of an institution of which the account is a member, as `place.file_id`. */
export const visibleFile: Place<AccountCaller, Person & { file: string }> = {
  at: (caller, { params }) => ({ ...personOf(caller), file: readPath(params).bizId }),
  select: sql`
    select f.id as file_id, case when a.id is null then 'account' when m.account_id is null then 'file' end as missing
    from ${person}
    left join files f on f.biz_id = ${given('place', 'file')} and f.deleted_at is null
    left join institution_members m on m.account_id = a.id and m.institution_id = f.institution_id`,
  errors: ['4040'],
  refusal: (missing) => (missing === 'account' ? memberOfInstitution.refusal(missing) : noSuchFile()),
  asker: ({ account }) => account,
};
