import { Type } from 'typebox';

export const channelTypeStatuses = ['ENABLED', 'DISABLED'] as const;

export const ChannelTypeRecord = Type.Object(
  {
    bizId: Type.String({ examples: ['NCT_EMAIL'] }),
    typeCode: Type.String({ examples: ['EMAIL'] }),
    typeValue: Type.Integer({ description: 'Numeric value of the type.' }),
    typeName: Type.String(),
    typeDescription: Type.String(),
    typeStatus: Type.String({ enum: [...channelTypeStatuses] }),
    displayOrder: Type.Integer(),
    iconUrl: Type.Union([Type.String(), Type.Null()]),
    extraConfig: Type.Unknown({
      description:
        'Null, or what a channel of this type is configured with: schemaVersion, address, configSchema, providers, capabilities.',
    }),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { title: 'ChannelTypeRecord' },
);

export const ChannelTypeFilters = Type.Object(
  {
    bizId: Type.Optional(Type.String({ maxLength: 64 })),
    typeCode: Type.Optional(Type.String({ maxLength: 32 })),
    typeStatus: Type.Optional(Type.String({ enum: [...channelTypeStatuses] })),
    enabledOnly: Type.Optional(Type.Boolean({ description: 'True: only enabled types.' })),
  },
  { title: 'ChannelTypeFilters' },
);
