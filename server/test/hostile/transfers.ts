import * as fc from 'fast-check';
import { anyText, json, mostly, objectText, queryValue, quoted, workspace } from './values.ts';

const amount = mostly(
  quoted(['12.50', '0.01', '999999999999999.99']),
  fc.oneof(
    quoted(['0', '-1', '1e3', '\u0661\u0662', '12.345', '1.0', '10000000000000000', 'NaN', '0x1', '1.00\n']),
    json,
    anyText,
  ),
);
const currency = mostly(
  quoted(['USD', 'EUR']),
  fc.oneof(quoted(['JPY', 'DEM', 'usd', '__proto__', 'toString']), json),
);
const shared = { amount, currency, reference: mostly(fc.constant('null'), anyText) };

/** Bodies about transfers, by the names of their endpoints. */
export const transferBodies: Record<string, fc.Arbitrary<string>> = {
  createTransfer: objectText({ ...shared, mode: mostly(fc.constantFrom('null', '1', '2'), json) }),
  signedTransfer: objectText(shared),
  moveTransfer: objectText({
    status: mostly(quoted(['PROCESSING', 'FAILED']), json),
    failureReason: anyText,
  }),
};

/** None that could be moved: each change of one would have to be told apart from those of others. */
const transferId = mostly(fc.constant('TRF_NOBODY'), queryValue);

const of = (weight: number, name: string, method: string, path: string) => ({
  weight,
  arbitrary: fc.tuple(workspace, transferId).map(([place, id]) => ({
    name,
    method,
    path: path.replace('{workspace}', () => place).replace('{id}', () => id),
  })),
});

const url = '/web/v1/workspaces/{workspace}/transfers';

export const transferEndpoints = [
  of(4, 'createTransfer', 'POST', url),
  of(1, 'getTransfer', 'GET', `${url}/{id}`),
  of(1, 'cancelTransfer', 'POST', `${url}/{id}/cancel`),
  of(1, 'moveTransfer', 'POST', '/web/v1/admin/transfers/{id}/status'),
  of(1, 'signed', 'GET', '/api/v1/transfers/TRF_NOBODY'), // a path that is no UTF-8 is told before the signature
  of(4, 'signedTransfer', 'POST', '/api/v1/transfers'),
];
