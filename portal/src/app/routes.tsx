import {
  type Icon,
  IconArrowsExchange,
  IconBellRinging,
  IconCode,
  IconFiles,
  IconKey,
} from '@tabler/icons-react';
import { type ComponentType, lazy } from 'react';

export type PageRoute = { path: string; name: string; icon: Icon; Page: ComponentType };

/** The pages of the shell, in the order of the navigation. Each is fetched when it is first opened. */
export const pages: readonly PageRoute[] = [
  {
    path: '/files',
    name: 'Files',
    icon: IconFiles,
    Page: lazy(() => import('../pages/files/page.tsx').then(({ FilesPage }) => ({ default: FilesPage }))),
  },
  {
    path: '/api-keys',
    name: 'API keys',
    icon: IconKey,
    Page: lazy(() =>
      import('../pages/api-keys/page.tsx').then(({ ApiKeysPage }) => ({ default: ApiKeysPage })),
    ),
  },
  {
    path: '/channel-types',
    name: 'Channel types',
    icon: IconBellRinging,
    Page: lazy(() =>
      import('../pages/channel-types/page.tsx').then(({ ChannelTypesPage }) => ({
        default: ChannelTypesPage,
      })),
    ),
  },
  {
    path: '/transfers',
    name: 'Transfers',
    icon: IconArrowsExchange,
    Page: lazy(() =>
      import('../pages/transfers/page.tsx').then(({ TransfersPage }) => ({ default: TransfersPage })),
    ),
  },
  {
    path: '/developers',
    name: 'Developers',
    icon: IconCode,
    Page: lazy(() =>
      import('../pages/developers/page.tsx').then(({ DevelopersPage }) => ({ default: DevelopersPage })),
    ),
  },
];

export const homePath = '/files';

export const Shell = lazy(() => import('./shell.tsx').then((module) => ({ default: module.Shell })));

export const SignInPage = lazy(() =>
  import('../pages/sign-in/page.tsx').then(({ SignInPage: Page }) => ({ default: Page })),
);
