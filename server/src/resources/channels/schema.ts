import { Type } from 'typebox';
import { WorkspacePath } from '../../auth/portal/workspace-path.ts';
import { ChannelRecord } from '../../channels/record.ts';
import { channelModes, channelStatuses } from '../../channels/types.ts';
import { required } from '../../contract/validate.ts';
import { eventTypes as eventTexts, eventTypeCodes } from '../../log/event-types.ts';

export const channelsPerWorkspaceMax = 50;

/** A ping is sent by a test alone. */
const subscribable = eventTypeCodes.filter((type) => type !== 'ping');

export const ChannelPath = Type.Object({
  ...WorkspacePath.properties,
  channelId: Type.String({
    description: 'Identifier of the channel.',
    examples: ['NCH_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E'],
  }),
});

const name = Type.String({
  ...required,
  minLength: 1,
  maxLength: 128,
  description: 'Display name.',
  examples: ['Settlement hooks'],
});

const meanings = subscribable.map((type) => `\`${type}\`: ${eventTexts[type]}`);
const eventTypes = Type.Array(Type.String({ enum: [...subscribable] }), {
  minItems: 1,
  maxItems: subscribable.length,
  uniqueItems: true,
  description: `What the channel tells of. ${meanings.join(' ')}`,
  examples: [['transfer.created', 'transfer.completed']],
});

const config = (more: string) =>
  Type.Object(
    {},
    {
      additionalProperties: true,
      description: `As the configSchema of the type says.${more}`,
      examples: [{ url: 'https://partner.example/hooks' }],
    },
  );

export const NewChannel = Type.Object(
  {
    typeCode: Type.String({
      ...required,
      maxLength: 32,
      description: 'Code of an enabled channel type.',
      examples: ['WEBHOOK'],
    }),
    name,
    mode: Type.Optional(
      Type.Integer({
        enum: [1, 2],
        names: channelModes,
        default: 1,
        description: '1 LIVE, 2 TEST. Whose events it tells; those of members are told by both.',
      }),
    ),
    eventTypes,
    config: config(''),
  },
  { title: 'NewChannel' },
);

export const ChannelChange = Type.Object(
  {
    name: Type.Optional(name),
    eventTypes: Type.Optional(eventTypes),
    config: Type.Optional(
      config(' Replaces what was there; only fields that are writeOnly stay as they are when left out.'),
    ),
  },
  { title: 'ChannelChange', description: 'Fields that are absent stay as they are.' },
);

/** The record with what is shown once. */
export const ChannelWithSecret = Type.Object(
  {
    ...ChannelRecord.properties,
    secret: Type.Union([Type.String(), Type.Null()], {
      description:
        'What a WEBHOOK signs with. Shown in this response alone; null in a replay of it, and of other types.',
      examples: ['whsec_…'],
    }),
  },
  { title: 'ChannelWithSecret' },
);

export const ChannelFilters = Type.Object({
  status: Type.Optional(
    Type.String({ enum: [...channelStatuses], description: 'Only channels of this status.' }),
  ),
  mode: Type.Optional(
    Type.String({
      enum: ['1', '2', 'LIVE', 'TEST'],
      names: channelModes,
      description: 'Only channels of this mode, by code or by name.',
    }),
  ),
});
