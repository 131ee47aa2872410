import { ownerOfWorkspace } from '../../auth/portal/roles.ts';
import type { Services } from '../../auth/services.ts';
import { openSecrets, sealChannel } from '../../channels/secrets.ts';
import { newSigningSecret, rotated } from '../../channels/signing-secret.ts';
import { ApiError } from '../../contract/api-error.ts';
import { aSecret } from '../../contract/changes.ts';
import { command } from '../../contract/command.ts';
import { lockedChannel, recordOf } from './locked-channel.ts';
import { updateSealed } from './queries.ts';
import { ChannelPath, ChannelWithSecret } from './schema.ts';

/** A new secret signs at once; the one before it signs too, until receivers have had time to change. */
export const rotateSecret = ({ vault }: Services) =>
  command({
    path: ChannelPath,
    answer: ChannelWithSecret,
    status: 200,
    place: ownerOfWorkspace,
    action: 'channel.secret-rotated',
    errors: ['4040', '4091'],
    secrets: ['secret'],
    async run(step) {
      const { tx, nowMs } = step;
      const { id, channelId, typeCode, sealed } = await lockedChannel(step);
      const secrets = openSecrets(vault, channelId, sealed);
      if (secrets.signing === undefined)
        throw new ApiError('4091', `a channel of type ${typeCode} has no secret that could be rotated`);
      const secret = newSigningSecret();
      const signing = rotated(secrets.signing, secret, nowMs);
      await updateSealed(tx, id, sealChannel(vault, channelId, { ...secrets, signing }), nowMs);
      return {
        answer: { ...(await recordOf(tx, channelId, nowMs)), secret },
        subject: channelId,
        changes: {
          secret: { from: aSecret, to: aSecret },
          previousSecretExpiresAt: { from: null, to: new Date(signing.previous.untilMs).toISOString() },
        },
      };
    },
  });
