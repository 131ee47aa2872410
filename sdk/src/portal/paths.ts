import { segment } from '../path-segment.ts';

export const accountPath = '/web/v1/account';

export function workspacePath(workspaceId: string): string {
  return `/web/v1/workspaces/${segment('workspaceId', workspaceId)}`;
}

export function sessionPath(sessionId: string): string {
  return `${accountPath}/sessions/${segment('sessionId', sessionId)}`;
}

export function keysPath(workspaceId: string): string {
  return `${workspacePath(workspaceId)}/api-keys`;
}

export function keyPath(workspaceId: string, apiKeyId: string): string {
  return `${keysPath(workspaceId)}/${segment('apiKeyId', apiKeyId)}`;
}

export function memberPath(workspaceId: string, accountId: string): string {
  return `${workspacePath(workspaceId)}/members/${segment('accountId', accountId)}`;
}

export function invitationsPath(workspaceId: string): string {
  return `${workspacePath(workspaceId)}/invitations`;
}

export function invitationPath(workspaceId: string, invitationId: string): string {
  return `${invitationsPath(workspaceId)}/${segment('invitationId', invitationId)}`;
}

export function filePath(bizId: string): string {
  return `/web/v1/files/${segment('bizId', bizId)}`;
}

export function transfersPath(workspaceId: string): string {
  return `${workspacePath(workspaceId)}/transfers`;
}

export function transferPath(workspaceId: string, transferId: string): string {
  return `${transfersPath(workspaceId)}/${segment('transferId', transferId)}`;
}

export function adminTransferPath(transferId: string): string {
  return `/web/v1/admin/transfers/${segment('transferId', transferId)}`;
}

export function auditRecordPath(workspaceId: string, sequence: string): string {
  return `${workspacePath(workspaceId)}/audit-log/${segment('sequence', sequence)}`;
}

export function requestsPath(workspaceId: string): string {
  return `${workspacePath(workspaceId)}/requests`;
}

export function requestPath(workspaceId: string, requestId: string): string {
  return `${requestsPath(workspaceId)}/${segment('requestId', requestId)}`;
}

export function channelTypePath(typeCode: string): string {
  return `/web/v1/notification-channel-types/${segment('typeCode', typeCode)}`;
}

export function channelsPath(workspaceId: string): string {
  return `${workspacePath(workspaceId)}/notification-channels`;
}

export function channelPath(workspaceId: string, channelId: string): string {
  return `${channelsPath(workspaceId)}/${segment('channelId', channelId)}`;
}

export function deliveryPath(workspaceId: string, channelId: string, deliveryId: string): string {
  return `${channelPath(workspaceId, channelId)}/deliveries/${segment('deliveryId', deliveryId)}`;
}

export function notificationsPath(workspaceId: string): string {
  return `${workspacePath(workspaceId)}/notifications`;
}
