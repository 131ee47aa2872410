import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { reader, required } from '../../contract/validate.ts';
import type { Queryable } from '../../db/database.ts';
import { workspaceOfMember, workspaceOfOwner } from './roles.ts';

export const WorkspacePath = Type.Object({
  workspaceId: Type.String({
    ...required,
    description: 'Business identifier of the workspace.',
    examples: ['WS_DEMO'],
  }),
});

const readPath = reader(WorkspacePath);
const bizIdIn = ({ params }: FastifyRequest) => readPath(params as object).workspaceId; // the router's own result

/** The workspace of the path, for any role in it. */
export function memberWorkspace(db: Queryable, request: FastifyRequest): Promise<number> {
  return workspaceOfMember(db, request.account, bizIdIn(request));
}

/** The workspace of the path, for its owners. */
export function ownerWorkspace(db: Queryable, request: FastifyRequest): Promise<number> {
  return workspaceOfOwner(db, request.account, bizIdIn(request));
}

/** What a collection asks to find out whether the caller is a member. */
export function workspaceAsked(request: FastifyRequest): { account: string; workspace: string } {
  return { account: request.caller.bizId, workspace: bizIdIn(request) };
}
