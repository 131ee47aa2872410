import {
  type Icon,
  IconArrowsExchange,
  IconBellRinging,
  IconCode,
  IconDeviceLaptop,
  IconFiles,
  IconHistory,
  IconKey,
  IconUser,
  IconUsers,
} from '@tabler/icons-react';
import { type ComponentType, lazy } from 'react';

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;
export type PageRoute = { path: string; name: string; icon: Icon; load: Load<object>; Page: ComponentType };

function page(path: string, name: string, icon: Icon, load: Load<object>): PageRoute {
  return { path, name, icon, load, Page: lazy(load) };
}

/** The pages of the shell, in the order of the navigation. Each is fetched when it is first opened. */
export const pages: readonly PageRoute[] = [
  page('/files', 'Files', IconFiles, () =>
    import('../pages/files/page.tsx').then(({ FilesPage }) => ({ default: FilesPage })),
  ),
  page('/api-keys', 'API keys', IconKey, () =>
    import('../pages/api-keys/page.tsx').then(({ ApiKeysPage }) => ({ default: ApiKeysPage })),
  ),
  page('/channel-types', 'Channel types', IconBellRinging, () =>
    import('../pages/channel-types/page.tsx').then(({ ChannelTypesPage }) => ({ default: ChannelTypesPage })),
  ),
  page('/transfers', 'Transfers', IconArrowsExchange, () =>
    import('../pages/transfers/page.tsx').then(({ TransfersPage }) => ({ default: TransfersPage })),
  ),
  page('/members', 'Members', IconUsers, () =>
    import('../pages/members/page.tsx').then(({ MembersPage }) => ({ default: MembersPage })),
  ),
  page('/audit-log', 'Audit log', IconHistory, () =>
    import('../pages/audit-log/page.tsx').then(({ AuditLogPage }) => ({ default: AuditLogPage })),
  ),
  page('/developers', 'Developers', IconCode, () =>
    import('../pages/developers/page.tsx').then(({ DevelopersPage }) => ({ default: DevelopersPage })),
  ),
];

/** Pages of the shell that stand in no navigation. */
export const quietPages: readonly PageRoute[] = [
  page('/account', 'Your account', IconUser, () =>
    import('../pages/account/page.tsx').then(({ AccountPage }) => ({ default: AccountPage })),
  ),
  page('/device', 'Sign in a device', IconDeviceLaptop, () =>
    import('../pages/device/page.tsx').then(({ DevicePage }) => ({ default: DevicePage })),
  ),
];

function openPage(path: string, load: Load<object>): [string, ComponentType] {
  return [path, lazy(load)];
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

export const homePath = '/files';
