import { useQuery } from '@tanstack/react-query';
import { portal, turnstile } from '../portal.ts';
import { CloudflareWidget } from './cloudflare-widget.tsx';
import { challengeOf } from './site-key.ts';
import { StandIn } from './stand-in.tsx';

export const signInConfigKey = 'sign-in-config';

/** What the service tells of itself before anyone has signed in. */
export function useSignInConfig() {
  return useQuery({
    queryKey: [signInConfigKey],
    queryFn: ({ signal }) => portal.signInConfig({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.error === null ? false : 3000),
  });
}

/** Keeps a solved challenge at hand. Hidden, it shows itself only when someone has to act. */
export function Turnstile({ isVisible }: { isVisible: boolean }) {
  const { data } = useSignInConfig();
  if (data === undefined) return null;
  const challenge = challengeOf(data.turnstileSiteKey);
  return challenge === 'cloudflare' && data.turnstileSiteKey !== null ? (
    <CloudflareWidget siteKey={data.turnstileSiteKey} keeper={turnstile} isVisible={isVisible} />
  ) : (
    <StandIn
      challenge={challenge === 'cloudflare' ? 'passes' : challenge}
      keeper={turnstile}
      isVisible={isVisible}
    />
  );
}
