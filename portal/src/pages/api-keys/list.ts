import { type ApiKeyRecord, keyModes, keyStatuses } from '@portico/sdk/portal';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { defineList } from '../../list/url-state.ts';
import { useOpenRow } from '../../list/use-open-row.ts';
import { portal } from '../../session/portal.ts';

export type SortField = 'createdAt' | 'name' | 'status' | 'mode' | 'lastUsedAt' | 'expiresAt';

export const modeNames: readonly string[] = Object.values(keyModes);

export const keysList = defineList<SortField, 'status' | 'mode'>({
  sortable: ['createdAt', 'name', 'status', 'mode', 'lastUsedAt', 'expiresAt'],
  defaultSort: { field: 'createdAt', direction: 'desc' },
  filters: { status: keyStatuses, mode: modeNames },
});

/** Of every list and every single key of a workspace. */
export const keysQuery = (workspaceId: string) => ['api-keys', workspaceId];

/** How often a key is read again while two of its secrets work: its owner waits for the old one to fall silent. */
const rotationMs = 5000;

export function useKey(workspaceId: string, apiKeyId: string, known: ApiKeyRecord | undefined) {
  return useQuery({
    queryKey: [...keysQuery(workspaceId), 'one', apiKeyId],
    queryFn: ({ signal }) => portal.getApiKey(workspaceId, apiKeyId, { signal }),
    placeholderData: () => known,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.previousSecretExpiresAt ? rotationMs : false),
  });
}

/** The key whose drawer is open. */
export function useOpenKey() {
  const { openId, open, close } = useOpenRow('key');
  return {
    apiKeyId: openId || undefined,
    open: useCallback(({ apiKeyId }: ApiKeyRecord) => open(apiKeyId), [open]),
    close,
  };
}
