import type { Me } from '@portico/sdk/portal';
import { createContext, useContext } from 'react';

const MeContext = createContext<Me | undefined>(undefined);
export const MeProvider = MeContext.Provider;

/** Who is signed in, with institutions, workspaces and roles. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (me === undefined) throw new Error('useMe is for pages inside the shell');
  return me;
}
