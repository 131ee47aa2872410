import type { Me, OwnWorkspace } from '@portico/sdk/portal';
import { useCallback, useEffect } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useMe } from './me.tsx';
import { modeParameter, useMode } from './mode.ts';
import { storage } from './storage.ts';

const parameter = 'workspace';
const keyOf = ({ account }: Me) => `workspace:${account.bizId}` as const;

function choose(me: Me, asked: string | null): OwnWorkspace | undefined {
  const find = (bizId: string | null) => me.workspaces.find((workspace) => workspace.bizId === bizId);
  return find(asked) ?? find(storage.get(keyOf(me))) ?? me.workspaces[0];
}

/** The workspace of the address; else the one of last time, else the first. Undefined when the account has none. */
export function useWorkspace(): OwnWorkspace | undefined {
  const me = useMe();
  const [params] = useSearchParams();
  return choose(me, params.get(parameter));
}

/** The workspace that the address asks for and the account has no role in. */
export function useForeignWorkspace(): string | undefined {
  const { workspaces } = useMe();
  const [params] = useSearchParams();
  const asked = params.get(parameter);
  return asked === null || workspaces.some(({ bizId }) => bizId === asked) ? undefined : asked;
}

/** Writes the workspace into the address, so that a link or a reload shows the same. */
export function useWorkspaceInAddress(): void {
  const me = useMe();
  const workspace = useWorkspace();
  const [params, setParams] = useSearchParams();
  const asked = params.get(parameter);
  useEffect(() => {
    if (workspace === undefined) return;
    if (asked === null) {
      setParams((old) => ({ ...Object.fromEntries(old), [parameter]: workspace.bizId }), { replace: true });
    } else if (asked === workspace.bizId) storage.set(keyOf(me), asked);
  }, [me, workspace, asked, setParams]);
}

/** Opens the same page in another workspace; what the address said of the list was about the former one. */
export function useSwitchWorkspace(): (bizId: string) => void {
  const [path, navigate] = useLocation();
  const mode = useMode();
  return useCallback(
    (bizId) => navigate(addressOf(path, { [parameter]: bizId, mode })),
    [path, mode, navigate],
  );
}

/** LIVE is what an address means that names no mode. */
function addressOf(path: string, parameters: Readonly<Record<string, string>>): string {
  const params = new URLSearchParams(parameters);
  if (params.get(modeParameter) === 'LIVE') params.delete(modeParameter);
  return params.size === 0 ? path : `${path}?${params}`;
}

/** The address of a page, in the workspace and the mode of this one, unless told otherwise. */
export function useInWorkspace(): (path: string, more?: Readonly<Record<string, string>>) => string {
  const workspace = useWorkspace();
  const mode = useMode();
  const here = workspace === undefined ? { mode } : { [parameter]: workspace.bizId, mode };
  return (path, more = {}) => addressOf(path, { ...here, ...more });
}
