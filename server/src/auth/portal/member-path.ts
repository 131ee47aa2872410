import { Type } from 'typebox';
import { WorkspacePath } from './workspace-path.ts';

export const MemberPath = Type.Object({
  ...WorkspacePath.properties,
  accountId: Type.String({ description: 'Identifier of the account.', examples: ['ACC_DEMO_VIEWER'] }),
});
