import { ownerOfWorkspace } from '../../auth/portal/roles.ts';
import { WorkspacePath } from '../../auth/portal/workspace-path.ts';
import type { Services } from '../../auth/services.ts';
import { readConfig, type TypeOfChannel } from '../../channels/config.ts';
import { offers } from '../../channels/config-schema.ts';
import { sealSecrets } from '../../channels/secrets.ts';
import { channelModes, isDelivering, type ModeCode } from '../../channels/types.ts';
import { ApiError, invalidFields } from '../../contract/api-error.ts';
import { changesOf } from '../../contract/changes.ts';
import { command } from '../../contract/command.ts';
import type { Transaction } from '../../db/database.ts';
import { ulid } from '../../db/identifiers.ts';
import { recordOf } from './locked-channel.ts';
import { insertChannel, selectLocale, selectType } from './queries.ts';
import { ChannelWithSecret, channelsPerWorkspaceMax, NewChannel } from './schema.ts';
import { createTargetRule } from './targets.ts';

/** One that takes new channels. */
async function enabledType(tx: Transaction, typeCode: string): Promise<TypeOfChannel> {
  const found = await selectType(tx, typeCode);
  const refusal = (message: string) => invalidFields('4000', [{ field: 'typeCode', message }]);
  if (found === undefined) throw refusal('must be the code of a channel type');
  if (found.status === 'DISABLED') throw refusal('must be an enabled channel type: this one is DISABLED');
  if (!isDelivering(typeCode) || found.schema === null)
    throw refusal('must be a channel type that is delivered');
  return { typeCode, schema: found.schema };
}

/** Mails go to an address of nobody: unless something else is said, in the language of who sets the channel up. */
async function withLocale(
  tx: Transaction,
  { typeCode, schema }: TypeOfChannel,
  given: object,
  accountId: number,
): Promise<object> {
  if (typeCode !== 'EMAIL' || 'locale' in given) return given;
  const locale = await selectLocale(tx, accountId);
  return offers(schema, 'locale', locale) ? { ...given, locale } : given;
}

export const createChannel = ({ vault, config: service }: Services) => {
  const targetRule = createTargetRule(service);
  return command({
    path: WorkspacePath,
    body: NewChannel,
    answer: ChannelWithSecret,
    status: 201,
    place: ownerOfWorkspace,
    action: 'channel.created',
    errors: ['4096'],
    secrets: ['secret'],
    async run({ tx, nowMs, place: { workspaceId, accountId }, input }) {
      const type = await enabledType(tx, input.typeCode);
      const wanted = await withLocale(tx, type, input.config, accountId);
      const { config, secrets } = readConfig(type, wanted, targetRule, nowMs);
      const channelId = `NCH_${ulid(nowMs)}`;
      const mode = channelModes[(input.mode ?? 1) as ModeCode]; // the schema lets only these codes pass
      const { name, eventTypes } = input;
      const fields = { typeCode: type.typeCode, name, mode, eventTypes, config };
      const sealed = sealSecrets(vault, channelId, secrets);
      if (!(await insertChannel(tx, { ...fields, channelId, workspaceId, sealed }, nowMs)))
        throw new ApiError(
          '4096',
          `the workspace has ${channelsPerWorkspaceMax} notification channels, which is the limit`,
        );
      const answer = { ...(await recordOf(tx, channelId, nowMs)), secret: secrets.signing?.current ?? null };
      return { answer, subject: channelId, changes: changesOf({}, { ...fields, status: 'ACTIVE' }) };
    },
  });
};
