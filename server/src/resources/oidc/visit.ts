import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountCaller, Nobody } from '../../auth/identity.ts';
import { addressGroup } from '../../contract/address.ts';

/** A browser that is on its way to the provider, or back. */
export type Visit = { caller: Nobody | AccountCaller; request: FastifyRequest; reply: FastifyReply };

export const groupOf = ({ caller }: Visit) => addressGroup(caller.address ?? undefined);
