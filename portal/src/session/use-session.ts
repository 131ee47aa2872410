import { useSyncExternalStore } from 'react';
import { session } from './portal.ts';
import type { SessionState } from './session.ts';

export function useSession(): SessionState {
  return useSyncExternalStore(session.subscribe, session.state);
}
