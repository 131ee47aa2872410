import {
  type Icon,
  IconArrowsExchange,
  IconBellRinging,
  IconCode,
  IconDeviceLaptop,
  IconFiles,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconListSearch,
  IconSend,
  IconUser,
  IconUsers,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { pageNames } from '../words/app.tsx';
import { later } from './code.ts';

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;
export type PageRoute = { path: string; name(): string; icon: Icon; load: Load<object>; Page: ComponentType };

function page(path: string, name: keyof typeof pageNames, icon: Icon, load: Load<object>): PageRoute {
  return { path, name: () => pageNames[name], icon, load, Page: later(load) };
}

/** The pages of the shell, in the order of the navigation. Each is fetched when it is first opened. */
export const pages: readonly PageRoute[] = [
  page('/overview', 'overview', IconLayoutDashboard, () =>
    import('../pages/overview/page.tsx').then(({ OverviewPage }) => ({ default: OverviewPage })),
  ),
  page('/files', 'files', IconFiles, () =>
    import('../pages/files/page.tsx').then(({ FilesPage }) => ({ default: FilesPage })),
  ),
  page('/api-keys', 'apiKeys', IconKey, () =>
    import('../pages/api-keys/page.tsx').then(({ ApiKeysPage }) => ({ default: ApiKeysPage })),
  ),
  page('/requests', 'requests', IconListSearch, () =>
    import('../pages/requests/page.tsx').then(({ RequestsPage }) => ({ default: RequestsPage })),
  ),
  page('/channels', 'channels', IconSend, () =>
    import('../pages/channels/page.tsx').then(({ ChannelsPage }) => ({ default: ChannelsPage })),
  ),
  page('/channel-types', 'channelTypes', IconBellRinging, () =>
    import('../pages/channel-types/page.tsx').then(({ ChannelTypesPage }) => ({ default: ChannelTypesPage })),
  ),
  page('/transfers', 'transfers', IconArrowsExchange, () =>
    import('../pages/transfers/page.tsx').then(({ TransfersPage }) => ({ default: TransfersPage })),
  ),
  page('/members', 'members', IconUsers, () =>
    import('../pages/members/page.tsx').then(({ MembersPage }) => ({ default: MembersPage })),
  ),
  page('/audit-log', 'auditLog', IconHistory, () =>
    import('../pages/audit-log/page.tsx').then(({ AuditLogPage }) => ({ default: AuditLogPage })),
  ),
  page('/developers', 'developers', IconCode, () =>
    import('../pages/developers/page.tsx').then(({ DevelopersPage }) => ({ default: DevelopersPage })),
  ),
];

/** Pages of the shell that stand in no navigation. */
export const quietPages: readonly PageRoute[] = [
  page('/account', 'account', IconUser, () =>
    import('../pages/account/page.tsx').then(({ AccountPage }) => ({ default: AccountPage })),
  ),
  page('/device', 'device', IconDeviceLaptop, () =>
    import('../pages/device/page.tsx').then(({ DevicePage }) => ({ default: DevicePage })),
  ),
];

function openPage(path: string, load: Load<object>): [string, ComponentType] {
  return [path, later(load)];
}

/** Pages that links lead to, for who is signed in and who is not. */
export const openPages: ReadonlyMap<string, ComponentType> = new Map([
  openPage('/invitation', () =>
    import('../pages/invitation/page.tsx').then(({ InvitationPage }) => ({ default: InvitationPage })),
  ),
  openPage('/reset-password', () =>
    import('../pages/reset-password/page.tsx').then(({ ResetPasswordPage }) => ({
      default: ResetPasswordPage,
    })),
  ),
]);

export const homePath = '/overview';

/** Pages whose records are LIVE or TEST; what the others show is neither. */
export const pathsWithMode: ReadonlySet<string> = new Set([
  '/overview',
  '/requests',
  '/files',
  '/api-keys',
  '/channels',
  '/transfers',
]);
