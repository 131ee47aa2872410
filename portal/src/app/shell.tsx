import { Alert, Burger, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMapQuestion } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { contentId } from '../session/link.ts';
import { MeProvider } from '../session/me.tsx';
import { portal } from '../session/portal.ts';
import { Turnstile } from '../session/turnstile/turnstile.tsx';
import { useForeignWorkspace, useWorkspace, useWorkspaceInAddress } from '../session/workspace.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { isServerAway } from '../ui/error-text.ts';
import { Brand } from './brand.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Frame } from './frame.tsx';
import { PageSkeleton } from './page-skeleton.tsx';
import { pages, quietPages } from './pages.ts';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.tsx';
import { Splash } from './splash.tsx';

function NotFound() {
  return (
    <EmptyState icon={<IconMapQuestion size={24} />} title="There is no such page">
      Choose one from the navigation.
    </EmptyState>
  );
}

function NavigationMenu() {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Burger opened={isOpen} onClick={open} aria-label="Open navigation" size="sm" />
      <Drawer
        opened={isOpen}
        onClose={close}
        size={288}
        title={<Brand />}
        classNames={{ body: classes['drawer'] ?? '' }}
        closeButtonProps={{ 'aria-label': 'Close navigation' }}
      >
        <Sidebar onLeave={close} />
      </Drawer>
    </>
  );
}

function ForeignNotice() {
  const asked = useForeignWorkspace();
  const workspace = useWorkspace();
  if (asked === undefined) return null;
  return (
    <Alert color="yellow" mb="lg" title={`You have no role in the workspace ${asked}`}>
      {workspace === undefined ? 'You have no role in any workspace.' : `This is ${workspace.name}.`}
    </Alert>
  );
}

function Content() {
  const [path] = useLocation();
  useWorkspaceInAddress();
  return (
    <>
      <ForeignNotice />
      <ErrorBoundary key={path}>
        <Suspense fallback={<PageSkeleton />}>
          <Switch>
            {[...pages, ...quietPages].map(({ path: at, Page }) => (
              <Route key={at} path={at} component={Page} />
            ))}
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </Suspense>
      </ErrorBoundary>
    </>
  );
}

/** Everything around the pages: navigation, workspace, account. */
export function Shell() {
  const me = useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => portal.me({ signal }),
    staleTime: 60_000,
    refetchInterval: ({ state }) => (isServerAway(state.error) ? 3000 : false),
  });
  if (me.data === undefined && me.error !== null && !isServerAway(me.error))
    return (
      <main className={classes['lone']}>
        <ErrorNotice error={me.error} onRetry={() => me.refetch()} isRetrying={me.isFetching} />
      </main>
    );
  if (me.data === undefined) return <Splash isServerAway={me.errorUpdateCount > 0} />;
  return (
    <MeProvider value={me.data}>
      <a className={classes['skip']} href={`#${contentId}`}>
        Skip to content
      </a>
      <Frame side={<Sidebar />} burger={<NavigationMenu />}>
        <Content />
      </Frame>
      <Turnstile isVisible={false} />
    </MeProvider>
  );
}
