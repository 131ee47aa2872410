import { useCallback } from 'react';
import { useSearchParams } from 'wouter';
import { useMe } from '../../session/me.tsx';
import { useWorkspace } from '../../session/workspace.ts';
import { openParameter } from './list.ts';

/** The institution of the address; else that of the workspace, else the first. */
export function useInstitution(): [string | undefined, (bizId: string) => void] {
  const { institutions } = useMe();
  const workspace = useWorkspace();
  const [params, setParams] = useSearchParams();
  const find = (bizId: string | null | undefined) => institutions.find((each) => each.bizId === bizId);
  const chosen = find(params.get('institution')) ?? find(workspace?.institutionBizId) ?? institutions[0];
  const set = useCallback(
    (bizId: string) =>
      setParams((old) => {
        const { page: _page, within: _within, [openParameter]: _open, ...kept } = Object.fromEntries(old);
        return { ...kept, institution: bizId };
      }),
    [setParams],
  );
  return [chosen?.bizId, set];
}
