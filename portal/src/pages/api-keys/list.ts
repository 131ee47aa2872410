import { type ApiKeyRecord, keyStatuses, type Mode } from '@portico/sdk/portal';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useSearchParams } from 'wouter';
import { defineList } from '../../list/url-state.ts';
import { useOpenRow } from '../../list/use-open-row.ts';
import { useMode, useSwitchMode } from '../../session/mode.ts';
import { portal } from '../../session/portal.ts';
import { withoutCall } from '../../ui/call-address.ts';

export type SortField = 'createdAt' | 'name' | 'status' | 'lastUsedAt' | 'expiresAt';

/** What a saved list has of each key. */
export const savedFields: readonly (keyof ApiKeyRecord)[] = [
  'apiKeyId',
  'name',
  'mode',
  'status',
  'scopes',
  'ipWhitelist',
  'createdAt',
  'expiresAt',
  'lastUsedAt',
  'lastUsedIp',
];

export const keysList = defineList<SortField, 'status'>({
  sortable: ['createdAt', 'name', 'status', 'lastUsedAt', 'expiresAt'],
  defaultSort: { field: 'createdAt', direction: 'desc' },
  filters: { status: keyStatuses },
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

/** Shows the keys of a mode, unless they are shown: so that a new one is seen. */
export function useShowMode(): (mode: Mode) => void {
  const shown = useMode();
  const switchTo = useSwitchMode();
  return (mode) => {
    if (mode !== shown) switchTo(mode);
  };
}

/** The key whose drawer is open. */
export function useOpenKey() {
  const { openId, open } = useOpenRow('key');
  const [, setParams] = useSearchParams();
  return {
    apiKeyId: openId || undefined,
    open: useCallback(({ apiKeyId }: ApiKeyRecord) => open(apiKeyId), [open]),
    /** With the call that was simulated, which is of this key. */
    close: useCallback(
      () =>
        setParams((old) => {
          const others = withoutCall(old);
          others.delete('key');
          return others;
        }),
      [setParams],
    ),
  };
}
