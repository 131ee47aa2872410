import { Alert, Burger, Button, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMapQuestion } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { contentId } from '../session/link.ts';
import { useLocaleOf } from '../session/locale.ts';
import { MeProvider } from '../session/me.tsx';
import { portal, session } from '../session/portal.ts';
import { Turnstile } from '../session/turnstile/turnstile.tsx';
import {
  useForeignWorkspace,
  useInWorkspace,
  useWorkspace,
  useWorkspaceInAddress,
} from '../session/workspace.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { awayMs, isServerAway } from '../ui/error-text.ts';
import { Said } from '../ui/said.tsx';
import { useTimeZone } from '../ui/time.ts';
import { visibleText } from '../ui/visible-text.ts';
import { appWords, pageNames } from '../words/app.tsx';
import { Bell } from './bell.tsx';
import { Brand } from './brand.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Frame } from './frame.tsx';
import { PageSkeleton } from './page-skeleton.tsx';
import { homePath, pages, quietPages } from './pages.ts';
import { PaletteControl } from './palette-control.tsx';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.tsx';
import { Splash } from './splash.tsx';

function NotFound() {
  const inWorkspace = useInWorkspace();
  const home = (
    <Button component={Link} href={inWorkspace(homePath)} variant="default">
      {pageNames.overview}
    </Button>
  );
  return (
    <EmptyState icon={<IconMapQuestion size={24} />} title={appWords.noSuchPage} action={home}>
      {appWords.chooseFromNavigation}
    </EmptyState>
  );
}

function NavigationMenu() {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Burger opened={isOpen} onClick={open} aria-label={appWords.openNavigation} size="sm" />
      <Drawer
        opened={isOpen}
        onClose={close}
        size={288}
        title={<Brand />}
        classNames={{ body: classes['drawer'] ?? '' }}
        closeButtonProps={{ 'aria-label': appWords.closeNavigation }}
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
    <Alert color="yellow" mb="lg" title={appWords.noRoleIn(visibleText(asked))}>
      {workspace === undefined ? appWords.noRoleInAny : appWords.thisIs(visibleText(workspace.name))}
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

/** Who is signed in: as it was said with the token, and asked for again later. */
function useSignedIn() {
  const me = useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => portal.me({ signal }),
    staleTime: 60_000,
    initialData: () => session.told()?.me,
    initialDataUpdatedAt: () => session.told()?.atMs,
    refetchInterval: ({ state }) => (isServerAway(state.error) ? awayMs : false),
  });
  useLocaleOf(me.data);
  return me;
}

/** Everything around the pages: navigation, workspace, account. */
export function Shell() {
  const me = useSignedIn();
  // Whatever tells a time is shown anew when the zone is another one.
  useTimeZone();
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
        {appWords.skip}
      </a>
      <Frame side={<Sidebar />} burger={<NavigationMenu />} bell={<Bell />}>
        <Content />
      </Frame>
      <PaletteControl />
      <Said />
      <Turnstile isVisible={false} />
    </MeProvider>
  );
}
