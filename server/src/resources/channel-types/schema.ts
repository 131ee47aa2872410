import { Type } from 'typebox';

const channelTypeStatuses = ['ENABLED', 'DISABLED'] as const;

export const ChannelTypeRecord = Type.Object(
  {
    bizId: Type.String({ description: 'Business identifier of the type.', examples: ['NCT_EMAIL'] }),
    typeCode: Type.String({ description: 'Code of the type.', examples: ['EMAIL'] }),
    typeValue: Type.Integer({ description: 'Numeric value of the type.', examples: [1] }),
    typeName: Type.String({ description: 'Display name.', examples: ['Email'] }),
    typeDescription: Type.String({
      description: 'What the channel does.',
      examples: ['Messages to an e-mail address'],
    }),
    typeStatus: Type.String({
      enum: [...channelTypeStatuses],
      description: 'Whether channels of this type can be used.',
    }),
    displayOrder: Type.Integer({ description: 'Place in a list.', examples: [1] }),
    iconUrl: Type.Union([Type.String(), Type.Null()], {
      description: 'Address of an icon, or null.',
      examples: [null],
    }),
    extraConfig: Type.Unknown({
      description:
        'Null, or what a channel of this type is configured with: schemaVersion, address, configSchema, providers, capabilities.',
      examples: [null],
    }),
    createdAt: Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' }),
    updatedAt: Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' }),
  },
  { title: 'ChannelTypeRecord' },
);

export const ChannelTypePath = Type.Object({
  typeCode: Type.String({ description: 'Code of the type.', examples: ['EMAIL'] }),
});

export const ChannelTypeFilters = Type.Object(
  {
    bizId: Type.Optional(Type.String({ maxLength: 64, description: 'Only the type with this identifier.' })),
    typeCode: Type.Optional(
      Type.String({ maxLength: 32, description: 'Only the type with this code.', examples: ['EMAIL'] }),
    ),
    typeStatus: Type.Optional(
      Type.String({ enum: [...channelTypeStatuses], description: 'Only types with this status.' }),
    ),
    enabledOnly: Type.Optional(Type.Boolean({ description: 'True: only enabled types.', examples: [true] })),
  },
  { title: 'ChannelTypeFilters' },
);
