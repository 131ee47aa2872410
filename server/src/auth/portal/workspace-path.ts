import { Type } from 'typebox';
import { required } from '../../contract/validate.ts';

export const WorkspacePath = Type.Object({
  workspaceId: Type.String({
    ...required,
    description: 'Business identifier of the workspace.',
    examples: ['WS_DEMO'],
  }),
});
