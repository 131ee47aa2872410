import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useMe } from '../session/me.tsx';
import { storage } from '../session/storage.ts';
import { useWorkspace } from '../session/workspace.ts';
import { paramsOf, readViews, type View, viewOf, withView } from './views.ts';

const keyOf = (account: string, workspace: string, path: string) =>
  `views:${account}:${workspace}:${path}` as const;

export const viewsOf = (account: string, workspace: string, path: string): View[] =>
  readViews(storage.get(keyOf(account, workspace, path)));

/** The views of this page that this account has kept in this browser, for this workspace. */
export function useViews() {
  const { account } = useMe();
  const workspace = useWorkspace();
  const [path] = useLocation();
  const [params, setParams] = useSearchParams();
  const key = keyOf(account.bizId, workspace?.bizId ?? '', path);
  const [, setCount] = useState(0);
  const views = readViews(storage.get(key));
  const keep = (to: readonly View[]) => {
    if (to.length === 0) storage.remove(key);
    else storage.set(key, JSON.stringify(to));
    setCount((count) => count + 1);
  };
  return {
    views,
    save: (name: string) => keep(withView(views, viewOf(name, params, Date.now()))),
    remove: (name: string) => keep(views.filter((view) => view.name !== name)),
    open: (view: View) => setParams((now) => paramsOf(view, now, Date.now())),
  };
}
