import { ownerOfWorkspace } from '../../auth/portal/roles.ts';
import type { Services } from '../../auth/services.ts';
import { readConfig, type Settings } from '../../channels/config.ts';
import { ChannelRecord } from '../../channels/record.ts';
import { type ChannelSecrets, openSecrets, sealSecrets } from '../../channels/secrets.ts';
import { aSecret, type Changes, changesOf } from '../../contract/changes.ts';
import { command } from '../../contract/command.ts';
import { lockedChannel, recordOf } from './locked-channel.ts';
import { selectType, updateChannel } from './queries.ts';
import { ChannelChange, ChannelPath } from './schema.ts';
import { createTargetRule } from './targets.ts';

/** Which secrets are others than before, and nothing else of them. */
function secretChanges(before: ChannelSecrets, after: ChannelSecrets): Changes {
  const flat = ({ fields, signing }: ChannelSecrets) => ({
    ...fields,
    ...(signing && { signingSecret: signing.current }),
  });
  const [old, next] = [flat(before), flat(after)];
  const hidden = (text: unknown) => (text === undefined || text === null ? null : aSecret);
  const changed = Object.entries(changesOf(old, { ...mapped(old), ...next }));
  return Object.fromEntries(
    changed.map(([field, { from, to }]) => [`config.${field}`, { from: hidden(from), to: hidden(to) }]),
  );
}

/** What is there no more is null. */
const mapped = (fields: object) => Object.fromEntries(Object.keys(fields).map((field) => [field, null]));

export const changeChannel = ({ vault, config: service }: Services) => {
  const targetRule = createTargetRule(service);
  return command({
    path: ChannelPath,
    body: ChannelChange,
    answer: ChannelRecord,
    status: 200,
    place: ownerOfWorkspace,
    action: 'channel.changed',
    errors: ['4040'],
    async run(step) {
      const { tx, nowMs, input } = step;
      const channel = await lockedChannel(step);
      const { id, channelId, typeCode, name, eventTypes, config } = channel;
      const secrets = openSecrets(vault, channelId, channel.sealed);
      const before = { name, eventTypes, config };
      let settings: Settings = { config, secrets };
      if (input.config !== undefined) {
        const schema = (await selectType(tx, typeCode))?.schema ?? {};
        settings = readConfig({ typeCode, schema }, input.config, targetRule, nowMs, secrets);
      }
      const after = {
        name: input.name ?? name,
        eventTypes: input.eventTypes ?? eventTypes,
        config: settings.config,
      };
      const sealed = sealSecrets(vault, channelId, settings.secrets);
      await updateChannel(tx, id, { ...after, sealed }, nowMs);
      const changes = { ...changesOf(before, after), ...secretChanges(secrets, settings.secrets) };
      return { answer: await recordOf(tx, channelId, nowMs), subject: channelId, changes };
    },
  });
};
