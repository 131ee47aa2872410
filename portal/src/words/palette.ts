import { words } from './words.ts';

/** Texts of what goes anywhere. */
export const paletteWords = words({
  open: ['Go to…', '搜索或跳转…'],
  title: ['Go anywhere', '快速跳转'],
  placeholder: [
    'A page, an action, a workspace, or the id of a record',
    '输入页面、操作、工作区名称或记录 ID',
  ],
  nothing: [
    'Nothing is called so. Ids are looked for when they are whole.',
    '没有匹配项。请输入完整的记录 ID。',
  ],
  found: [(count: number) => (count === 1 ? '1 result' : `${count} results`), (count) => `${count} 个结果`],
  records: ['Record', '记录'],
  recent: ['Recent', '最近查看'],
  pages: ['Pages', '页面'],
  views: ['Saved views', '已保存的视图'],
  workspaces: ['Workspaces', '工作区'],
  actions: ['Actions', '操作'],
  openRecord: [(id: string) => `Open ${id}`, (id) => `打开 ${id}`],
  toLive: ['Show LIVE data', '切换到 LIVE 数据'],
  toTest: ['Show TEST data', '切换到 TEST 数据'],
  toLight: ['Light colours', '浅色外观'],
  toDark: ['Dark colours', '深色外观'],
  toLocal: ['Times of this computer', '按本地时区显示时间'],
  toUtc: ['Times in UTC', '按 UTC 显示时间'],
  signOut: ['Sign out', '退出登录'],
});
