export const accountPath = '/web/v1/account';

function segment(name: string, value: string): string {
  // A URL would take these for steps between folders, and lead to another endpoint.
  if (value === '' || value === '.' || value === '..') throw new TypeError(`${name} is not an identifier`);
  return encodeURIComponent(value);
}

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
