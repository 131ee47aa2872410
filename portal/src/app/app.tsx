import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { Router, useLocation, useSearch } from 'wouter';
import { basePath } from '../session/base-path.ts';
import '../session/link.ts';
import { useLocale } from '../session/locale.ts';
import { session } from '../session/portal.ts';
import { readReturnPath, signInPath } from '../session/return-path.ts';
import { signInConfigKey } from '../session/turnstile/turnstile.tsx';
import { useSession } from '../session/use-session.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Go } from './go.tsx';
import { homePath, openPages, pages, quietPages } from './pages.ts';
import { preload, Shell, SignInAgain, SignInPage } from './routes.tsx';
import { Splash } from './splash.tsx';
import { styleNonce } from './style-nonce.ts';
import { cssVariablesResolver, theme } from './theme.ts';

const queryClient = new QueryClient({
  defaultOptions: {
    // The SDK tries again itself; whether the network is there is for the service's answer to say.
    queries: { retry: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

// A sign-in elsewhere leads back here with nothing but its cookie.
if (new URLSearchParams(location.search).get('oidc') === 'done') session.resume();
if (session.state().status === 'restoring') preload(location.pathname.slice(basePath.length));

const pagePaths = [...pages, ...quietPages].map(({ path }) => path);

/** For the code of what comes next. */
function Waiting() {
  return session.state().status === 'signed-out' ? null : <Splash isServerAway={false} />;
}

/** The sign-in page for those who are not signed in, the shell for those who are; pages that links lead to for both. */
function Door() {
  const state = useSession();
  const [path] = useLocation();
  const search = useSearch();
  const isSignIn = path === '/sign-in';
  const OpenPage = openPages.get(path);
  if (OpenPage !== undefined)
    return (
      <Suspense>
        <OpenPage />
      </Suspense>
    );
  if (state.status === 'restoring') return <Splash isServerAway={state.isServerAway} />;
  if (state.status === 'signed-in' || state.status === 'interrupted') {
    if (isSignIn) return <Go to={readReturnPath(search, pagePaths) ?? homePath} />;
    // Before the shell is there, which writes the workspace into the address.
    if (path === '/') return <Go to={homePath} />;
    return (
      <>
        <Shell key={state.account} />
        <Suspense>{state.status === 'interrupted' ? <SignInAgain why={state.why} /> : null}</Suspense>
      </>
    );
  }
  if (!isSignIn) return <Go to={state.why === 'left' ? '/sign-in' : signInPath(path, search)} />;
  const next = (readReturnPath(search, pagePaths) ?? homePath).replace(/\?.*/s, '');
  return <SignInPage hasExpired={state.why === 'expired'} onAttempt={() => preload(next)} />;
}

let told: string | undefined;

/** What one account was told is not for the next one. */
function forgetAccount(): void {
  const state = session.state();
  const account = 'account' in state ? state.account : undefined;
  if (told !== undefined && account !== told)
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== signInConfigKey });
  told = account;
}

export function App() {
  const locale = useLocale();
  useEffect(() => session.subscribe(forgetAccount), []);
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
          <ErrorBoundary key={locale}>
            <Suspense fallback={<Waiting />}>
              <Door />
            </Suspense>
          </ErrorBoundary>
        </Router>
      </QueryClientProvider>
    </MantineProvider>
  );
}
