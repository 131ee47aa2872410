import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { invitationStatuses } from '../../server/src/auth/portal/invitations.ts';
import { workspaceRoles } from '../../server/src/auth/portal/roles.ts';
import * as serverScopes from '../../server/src/auth/signed/scopes.ts';
import { channelStatuses, deliveryStatuses } from '../../server/src/channels/types.ts';
import { lookBackSeconds as serverLookBackSeconds } from '../../server/src/contract/command.ts';
import * as files from '../../server/src/files/names.ts';
import { readableActions } from '../../server/src/log/actions.ts';
import { eventTypes } from '../../server/src/log/event-types.ts';
import { locales } from '../../server/src/mail/kinds.ts';
import * as keys from '../../server/src/resources/api-keys/schema.ts';
import * as channelTypes from '../../server/src/resources/channel-types/schema.ts';
import { attentionKinds } from '../../server/src/resources/overview/schema.ts';
import { transferStatuses } from '../../server/src/transfers/status.ts';
import { lookBackSeconds } from '../src/index.ts';
import * as portal from '../src/portal/index.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The values that a schema allows, in its own order. */
const choices = (schema: object) => ('enum' in schema ? schema.enum : undefined);

describe('how far back to ask for what has changed', () => {
  it('is what the service says, in code, guide and API description', () => {
    expect(lookBackSeconds).toBe(serverLookBackSeconds);
    expect(read('docs/keeping-in-step.md')).toContain(`**${lookBackSeconds} seconds**`);
    expect(read('docs/openapi.json')).toContain(`${lookBackSeconds} seconds before the latest updatedAt`);
  });
});

describe('what the portal entry offers to choose from', () => {
  it('are the scopes of the service, with what each allows', () => {
    expect(Object.entries(portal.scopes)).toEqual(Object.entries(serverScopes.scopes));
  });

  it('are the codes and names of the service', () => {
    expect(portal.fileCategories).toEqual(files.fileCategories);
    expect(portal.fileStatuses).toEqual(files.fileStatuses);
    expect(portal.keyModes).toEqual(keys.keyModes);
    expect(portal.keyStatuses).toEqual(choices(keys.ApiKeyRecord.properties.status));
    expect(portal.auditActions).toEqual(Object.keys(readableActions));
    expect(Object.entries(portal.eventTypes)).toEqual(Object.entries(eventTypes));
    expect(portal.channelStatuses).toEqual(channelStatuses);
    expect(portal.deliveryStatuses).toEqual(deliveryStatuses);
    expect(portal.attentionKinds).toEqual(attentionKinds);
    expect(portal.transferStatuses).toEqual(transferStatuses);
    expect(portal.workspaceRoles).toEqual(workspaceRoles);
    expect(portal.mailLocales).toEqual(locales);
    expect(portal.invitationStatuses).toEqual(invitationStatuses);
    expect(portal.channelTypeStatuses).toEqual(choices(channelTypes.ChannelTypeRecord.properties.typeStatus));
  });
});
