import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { Redirect, Router, useLocation, useSearch } from 'wouter';
import { basePath } from '../session/base-path.ts';
import { session } from '../session/portal.ts';
import { readReturnPath, signInPath } from '../session/return-path.ts';
import { useSession } from '../session/use-session.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { homePath, pages, Shell, SignInPage } from './routes.tsx';
import { Splash } from './splash.tsx';
import { styleNonce } from './style-nonce.ts';
import { cssVariablesResolver, theme } from './theme.ts';

const queryClient = new QueryClient({
  defaultOptions: {
    // The SDK tries again itself; whether the network is there is for the service's answer to say.
    queries: { retry: false, staleTime: 10_000, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

const pagePaths = pages.map(({ path }) => path);

/** The sign-in page for those who are not signed in, the shell for those who are. */
function Door() {
  const state = useSession();
  const [path] = useLocation();
  const search = useSearch();
  useEffect(() => {
    if (state.status !== 'signed-in') queryClient.clear();
  }, [state.status]);
  const isSignIn = path === '/sign-in';
  if (state.status === 'restoring') return <Splash isServerAway={state.isServerAway} />;
  if (state.status === 'signed-in')
    return isSignIn ? <Redirect to={readReturnPath(search, pagePaths) ?? homePath} replace /> : <Shell />;
  if (!isSignIn)
    return <Redirect to={state.why === 'left' ? '/sign-in' : signInPath(path, search)} replace />;
  return <SignInPage hasExpired={state.why === 'expired'} />;
}

export function App() {
  useEffect(() => session.start(), []);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <QueryClientProvider client={queryClient}>
        <Router base={basePath}>
          <ErrorBoundary>
            <Suspense fallback={<Splash isServerAway={false} />}>
              <Door />
            </Suspense>
          </ErrorBoundary>
        </Router>
      </QueryClientProvider>
    </MantineProvider>
  );
}
