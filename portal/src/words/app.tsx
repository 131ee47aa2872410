import type { ReactNode } from 'react';
import { words } from './words.ts';

/** Texts of the shell. */
export const appWords = words({
  testData: ['Test data: nothing here is real', '测试数据：以下均非真实业务'],
  skip: ['Skip to content', '跳到正文'],
  mainNavigation: ['Main', '主导航'],
  openNavigation: ['Open navigation', '打开导航'],
  closeNavigation: ['Close navigation', '关闭导航'],
  noSuchPage: ['There is no such page', '页面不存在'],
  chooseFromNavigation: ['Choose one from the navigation.', '请从导航中选择页面。'],
  noRoleIn: [
    (workspace: string) => `You have no role in the workspace ${workspace}`,
    (workspace) => `您不是工作区 ${workspace} 的成员`,
  ],
  noRoleInAny: ['You have no role in any workspace.', '您还不是任何工作区的成员。'],
  thisIs: [(workspace: string) => `This is ${workspace}.`, (workspace) => `当前显示的是 ${workspace}。`],
  serviceAway: ['The service is not reachable. Trying again…', '暂时无法连接服务，正在重试…'],
  notShown: ['This page could not be shown', '页面无法显示'],
  mayBeUpdated: ['The portal may have been updated since you opened it.', '打开本页后，管理平台可能已更新。'],
  codeAway: ['This page could not be loaded', '页面加载失败'],
  codeAwayWhy: [
    'The service is not reachable. The page opens by itself as soon as it is.',
    '暂时无法连接服务，恢复后页面会自动打开。',
  ],
  reload: ['Reload', '重新加载'],
  colourScheme: ['Colour scheme', '外观'],
  light: ['Light', '浅色'],
  dark: ['Dark', '深色'],
  asTheSystem: ['As the system', '跟随系统'],
  times: ['Times', '时间显示'],
  local: ['Local', '本地'],
  localTimes: ['Local times', '本地时间'],
  utcTimes: ['UTC times', 'UTC 时间'],
  workspaceLabel: ['Workspace:', '工作区：'],
  noWorkspace: ['No workspace', '没有工作区'],
  noneOfIt: ['You have no role in any', '您还不是任何工作区的成员'],
  noRoleAnywhere: ['You have no role in any workspace', '您还不是任何工作区的成员'],
  current: ['current', '当前'],
  account: ['Account', '账号'],
  yourAccount: ['Your account:', '您的账号：'],
  stillSignedIn: ['You are still signed in', '您仍处于登录状态'],
  signOut: ['Sign out', '退出登录'],
  moreWaysOut: ['More ways to sign out', '更多退出方式'],
  signOutEverywhere: ['Sign out everywhere', '退出所有设备'],
});

/** Names of pages, in the navigation and wherever else they are spoken of. */
export const pageNames = words({
  overview: ['Overview', '概览'],
  requests: ['Requests', '请求'],
  files: ['Files', '文件'],
  apiKeys: ['API keys', 'API 密钥'],
  channels: ['Channels', '通知渠道'],
  channelTypes: ['Channel types', '渠道类型'],
  transfers: ['Transfers', '转账'],
  members: ['Members', '成员'],
  auditLog: ['Audit log', '审计日志'],
  developers: ['Developers', '开发者'],
  account: ['Your account', '您的账号'],
  device: ['Sign in a device', '登录设备'],
});

export const bellWords = words({
  title: ['Notifications', '通知'],
  unreadCount: [
    (count: number, max: number) => `Notifications, ${count > max ? `more than ${max}` : count} unread`,
    (count, max) => `通知，${count > max ? `超过 ${max}` : count} 条未读`,
  ],
  unread: ['Unread: ', '未读：'],
  showOlder: ['Show older ones', '查看更早的通知'],
  nothing: [
    (link: (text: string) => ReactNode) => (
      <>Nothing yet. Owners choose what is told here with a {link('channel')} of the type In-app.</>
    ),
    (link) => <>暂无通知。所有者可通过“站内通知”类型的{link('通知渠道')}设置在此显示的内容。</>,
  ],
});
