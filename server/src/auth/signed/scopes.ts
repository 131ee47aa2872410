/** Every scope a key may be given, and what it allows. A test holds this list equal to what the routes require. */
export const scopes = {
  'transfers:read': 'List and show the transfers of the workspace, those of the mode of the key',
  'transfers:write': 'Create transfers of the mode of the key, and cancel them',
  'files:read': 'List and download the files of the workspace, those of the mode of the key',
  'files:write': 'Upload and delete files of the workspace, those of the mode of the key',
  'channel-types:read': 'List the notification channel types',
  'events:read':
    'Pull the events of the workspace, also those of its keys and members: of the mode of the key, and of both',
} as const;

export type Scope = keyof typeof scopes;

export const scopeCodes = Object.keys(scopes) as Scope[]; // Object.keys forgets the literal keys
