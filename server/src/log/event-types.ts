/** Everything that partners are told of, and what it means. An event has the name of the action whose record it belongs to; only ping has none. */
export const eventTypes = {
  'transfer.created': 'A transfer was created.',
  'transfer.processing': 'A transfer is on its way.',
  'transfer.completed': 'A transfer arrived.',
  'transfer.failed': 'A transfer failed.',
  'transfer.cancelled': 'A transfer was cancelled before it began.',
  'file.created': 'A file was uploaded.',
  'file.archived': 'A file was archived.',
  'file.restored': 'A file was brought back from the archive.',
  'file.deleted': 'A file was deleted.',
  'file.quarantined': 'A scanner found something in a file.',
  'api-key.created': 'An API key was created.',
  'api-key.rotated': 'An API key got a new secret.',
  'api-key.disabled': 'An API key was disabled.',
  'api-key.enabled': 'An API key was enabled.',
  'api-key.revoked': 'An API key was revoked for good.',
  'api-key.expiring': 'An API key expires in 14, 3 or 1 days.',
  'member.invited': 'Someone was invited to the workspace.',
  'member.added': 'Someone became a member of the workspace.',
  'member.changed': 'A member got another role.',
  'member.removed': 'A member left or was removed.',
  'channel.disabled': 'A notification channel was disabled.',
  ping: 'A test of a channel, for that channel alone.',
} as const;

export type EventType = keyof typeof eventTypes;

export const eventTypeCodes = Object.keys(eventTypes) as EventType[]; // Object.keys forgets the literal keys

export const isEventType = (text: string): text is EventType => Object.hasOwn(eventTypes, text);
