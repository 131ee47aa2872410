import { ownerInTurn } from '../../auth/portal/in-turn.ts';
import { linkTo } from '../../auth/portal/links.ts';
import { invite } from '../../auth/portal/member-changes.ts';
import type { WorkspaceRole } from '../../auth/portal/roles.ts';
import { WorkspacePath } from '../../auth/portal/workspace-path.ts';
import type { Services } from '../../auth/services.ts';
import { command } from '../../contract/command.ts';
import { createPosting } from './posting.ts';
import { CreatedInvitation, NewInvitation } from './schema.ts';

export const createInvitation = (services: Services) => {
  const { admit, post } = createPosting(services);
  return command({
    path: WorkspacePath,
    body: NewInvitation,
    answer: CreatedInvitation,
    status: 201,
    place: ownerInTurn,
    action: 'member.invited',
    errors: ['4090', '4096', '4290'],
    secrets: ['url'],
    before: ({ input }) => admit(input.email),
    async run({ tx, nowMs, place, input: { email, ...given } }) {
      const { workspaceId, accountId: invitedBy } = place;
      const role = given.role as WorkspaceRole; // the schema lets no other pass
      const issued = await invite(tx, { workspaceId, email, role, invitedBy }, nowMs);
      const { invitationId, token, expiresAtMs, expiresAt, told } = issued;
      const link = linkTo(services.config, 'invitation', token);
      const isMailed = await post(tx, { invitationId, url: link, expiresAtMs }, nowMs);
      return {
        answer: { invitationId, email, role, status: 'PENDING', expiresAt, url: isMailed ? null : link },
        subject: invitationId,
        ...told,
      };
    },
  });
};
