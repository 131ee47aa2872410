import { useLayoutEffect } from 'react';
import { useLocation } from 'wouter';
import { Splash } from './splash.tsx';

/**
 * Leads on to another address, as often as it is shown where nobody should stay. The router's own goes once in its life:
 * whoever wrote the former address again at that moment was left with an empty page.
 */
export function Go({ to }: { to: string }) {
  const [, navigate] = useLocation();
  useLayoutEffect(() => {
    navigate(to, { replace: true });
  });
  return <Splash isServerAway={false} />;
}
