import type { Answer } from '../answer.ts';
import type { CallOptions } from '../call-options.ts';
import type { FlatPage, PageQuery } from '../envelope.ts';
import { queryString } from '../wire.ts';
import { invitationPath, invitationsPath, memberPath, workspacePath } from './paths.ts';
import { PortalCalls } from './portal-calls.ts';
import type {
  Acceptance,
  AcceptedInvitation,
  CreatedInvitation,
  InvitationFilters,
  InvitationRecord,
  InvitationToken,
  InvitationView,
  MemberChange,
  MemberFilters,
  MemberRecord,
  NewInvitation,
  OpenIdConnectInvitation,
  OpenIdConnectStart,
} from './records.ts';

/** Members of workspaces, and how they come. */
export class PeopleCalls extends PortalCalls {
  listMembers(
    workspaceId: string,
    filters: MemberFilters = {},
    page: PageQuery = {},
    options: CallOptions = {},
  ): Answer<FlatPage<MemberRecord>> {
    const query = queryString({ ...filters, ...page });
    return this.read(`${workspacePath(workspaceId)}/members${query}`, options);
  }

  changeMember(
    workspaceId: string,
    accountId: string,
    change: MemberChange,
    options: CallOptions = {},
  ): Answer<MemberRecord> {
    return this.write('PATCH', memberPath(workspaceId, accountId), change, options);
  }

  /** For owners; with the own account, to leave. */
  removeMember(workspaceId: string, accountId: string, options: CallOptions = {}): Answer<void> {
    return this.done(this.write('DELETE', memberPath(workspaceId, accountId), undefined, options));
  }

  /** Ends every session of the member, who may sign in anew. */
  signOutMember(workspaceId: string, accountId: string, options: CallOptions = {}): Answer<void> {
    return this.done(this.command(`${memberPath(workspaceId, accountId)}/sign-out`, undefined, options));
  }

  listInvitations(
    workspaceId: string,
    filters: InvitationFilters = {},
    page: PageQuery = {},
    options: CallOptions = {},
  ): Answer<FlatPage<InvitationRecord>> {
    return this.read(`${invitationsPath(workspaceId)}${queryString({ ...filters, ...page })}`, options);
  }

  createInvitation(
    workspaceId: string,
    body: NewInvitation,
    options: CallOptions = {},
  ): Answer<CreatedInvitation> {
    return this.command(invitationsPath(workspaceId), body, options);
  }

  revokeInvitation(
    workspaceId: string,
    invitationId: string,
    options: CallOptions = {},
  ): Answer<InvitationRecord> {
    return this.command(`${invitationPath(workspaceId, invitationId)}/revoke`, undefined, options);
  }

  /** For whoever has the link. */
  lookupInvitation(body: InvitationToken, options: CallOptions = {}): Answer<InvitationView> {
    const path = '/web/v1/invitations/lookup';
    return this.call({ method: 'POST', path, body, repeat: 'read', tokens: [] }, options);
  }

  /** With an access token, if there is one, its account accepts. */
  acceptInvitation(body: Acceptance, options: CallOptions = {}): Answer<AcceptedInvitation> {
    const path = '/web/v1/invitations/accept';
    return this.call({ method: 'POST', path, body, repeat: 'once', tokens: ['access'] }, options);
  }

  /** The address at the provider for this browser to go to, to accept an invitation there; with an access token, if there is one, for its account. */
  acceptByOpenIdConnect(
    body: OpenIdConnectInvitation,
    options: CallOptions = {},
  ): Answer<OpenIdConnectStart> {
    const path = '/web/v1/auth/oidc/start';
    return this.call({ method: 'POST', path, body, repeat: 'once', tokens: ['access'] }, options);
  }
}
