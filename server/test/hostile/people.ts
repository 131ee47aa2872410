import * as fc from 'fast-check';
import { anyText, json, mostly, objectText, queryValue, quoted } from './values.ts';

const role = mostly(quoted(['OWNER', 'MEMBER', 'VIEWER']), json);
const token = mostly(anyText, json);

/** Bodies about members and invitations, by the names of their endpoints. */
export const peopleBodies: Record<string, fc.Arbitrary<string>> = {
  createInvitation: objectText({
    email: mostly(quoted(['a@b.test', 'Ä@例子.公司', 'A@B.test', 'viewer@demo.test']), anyText),
    role,
  }),
  changeMember: objectText({ role }),
  lookupInvitation: objectText({ token }),
  acceptInvitation: objectText({ token, name: anyText, password: anyText, session: anyText }),
  acceptElsewhere: objectText({ invitation: token }),
};

/** Last owners, who stay what they are, and nobody: the callers keep their roles. */
export const memberId = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('ACC_DEMO_OWNER', 'ACC_DEMO_OUTSIDER', 'ACC_NOBODY') },
  { weight: 1, arbitrary: queryValue },
);
