import * as fc from 'fast-check';
import { queryValue } from './values.ts';

const sortFields = [
  'createdAt',
  'amount',
  'displayOrder',
  'fileSize',
  '__proto__',
  'constructor',
  'toString',
  'id',
];
const sort = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...sortFields) }, { weight: 1, arbitrary: queryValue }),
    fc.constantFrom(',asc', ',desc', ',DESC', ',asc;select%201', ',', '', ',asc,id', '%2Casc', ',asc--'),
  )
  .map((parts) => parts.join(''));
const count = fc.constantFrom(
  '0',
  '1',
  '100',
  '101',
  '-1',
  '007',
  '',
  '%20',
  '1e3',
  '1.0',
  '0x10',
  '9'.repeat(400),
);
const returnTo = fc.oneof(
  fc.constantFrom(
    '/files',
    '//evil.example',
    '/%5Cevil',
    '/%2F..',
    '/files%0D%0AX:%20y',
    'https://evil.example',
  ),
  queryValue,
);
const eventParameter = fc.oneof(
  fc.tuple(
    fc.constant('after'),
    fc.oneof(fc.constantFrom('EVT_0', `EVT_${'9'.repeat(18)}`, 'EVT_-1'), queryValue),
  ),
  fc.tuple(
    fc.constant('types'),
    fc.oneof(fc.constantFrom('file.created', 'ping', 'file.created,,'), queryValue),
  ),
  fc.tuple(fc.constant('limit'), count),
);
const parameter = fc.oneof(
  eventParameter,
  fc.tuple(fc.constant('returnTo'), returnTo),
  fc.tuple(fc.constantFrom('state', 'code', 'iss', 'error'), queryValue),
  fc.tuple(fc.constant('sort'), sort),
  fc.tuple(
    fc.constantFrom('page', 'size'),
    fc.oneof({ weight: 3, arbitrary: count }, { weight: 1, arbitrary: queryValue }),
  ),
  fc.tuple(
    fc.constantFrom(
      ...['status', 'currency', 'createdFrom', 'createdTo', 'mode', 'days', 'fileStatus', 'enabledOnly'],
      ...['reference', 'updatedFrom', 'updatedTo'],
    ),
    queryValue,
  ),
  fc.tuple(
    fc.oneof(fc.constantFrom('__proto__', 'constructor', 'sort[]', 'page[a]'), queryValue),
    queryValue,
  ),
);
export const query = fc
  .oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 7, arbitrary: fc.array(parameter, { maxLength: 4 }) },
  )
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));
