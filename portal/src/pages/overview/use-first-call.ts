import type { Mode } from '@portico/sdk/portal';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { portal } from '../../session/portal.ts';

export type FirstCall = {
  /** The newest key that works; undefined: there is none. */
  apiKeyId: string | undefined;
  /** Of the key that called, or else of the newest one. */
  mode: Mode;
  calls: number;
  passed: number;
};

/** Someone is at it, and looks here for what came of it. */
const watchMs = 3000;
const keysMax = 100;

async function look(workspaceId: string, signal: AbortSignal): Promise<FirstCall & { wasUsed: boolean }> {
  const newest = { page: 0, size: keysMax, sort: 'createdAt,desc' };
  const [keys, { totals, keys: callers }] = await Promise.all([
    portal.listApiKeys(workspaceId, { status: 'ACTIVE' }, newest, { signal }),
    portal.overview(workspaceId, { days: 30 }, { signal }),
  ]);
  const key = keys.content[0];
  return {
    apiKeyId: key?.apiKeyId,
    mode: callers[0]?.mode ?? (key?.mode === 'LIVE' ? 'LIVE' : 'TEST'),
    calls: totals.calls,
    passed: totals.calls - totals.refused - totals.failed,
    wasUsed: keys.content.some(({ lastUsedAt }) => lastUsedAt !== null),
  };
}

/** How far a workspace is on the way to its first call; undefined: not known yet, null: it is past that. */
export function useFirstCall(workspaceId: string, mayBeFirst: boolean): FirstCall | null | undefined {
  // Once it is shown it goes on until the call is there, and then shows that.
  const [isShown, setShown] = useState(false);
  const { data, error } = useQuery({
    queryKey: ['overview', workspaceId, 'first-call'],
    queryFn: ({ signal }) => look(workspaceId, signal),
    enabled: mayBeFirst || isShown,
    staleTime: 0,
    refetchInterval: ({ state }) => (isShown && (state.data?.passed ?? 0) === 0 ? watchMs : false),
  });
  const isFirst = mayBeFirst && data !== undefined && data.passed === 0 && !data.wasUsed;
  if (isFirst && !isShown) setShown(true);
  if (isShown || isFirst) return data;
  return mayBeFirst && data === undefined && error === null ? undefined : null;
}
