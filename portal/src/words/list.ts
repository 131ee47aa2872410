import { plural, words } from './words.ts';

/** Texts of the list toolkit. */
export const listWords = words({
  mode: ['Mode', '模式'],
  all: ['All', '全部'],
  close: ['Close', '关闭'],
  pages: ['Pages', '分页'],
  firstPage: ['First page', '第一页'],
  previousPage: ['Previous page', '上一页'],
  nextPage: ['Next page', '下一页'],
  lastPage: ['Last page', '最后一页'],
  rowsPerPage: ['Rows per page', '每页条数'],
  rows: [(count: number) => `${count} rows`, (count) => `${count} 条/页`],
  pageOf: [
    (page: string, pages: string) => `Page ${page} of ${pages}`,
    (page, pages) => `第 ${page} 页，共 ${pages} 页`,
  ],
  noneOf: [(total: string) => `0 of ${total}`, (total) => `0 条，共 ${total} 条`],
  rangeOf: [
    (first: string, last: string, total: string) => `${first}–${last} of ${total}`,
    (first, last, total) => `第 ${first}–${last} 条，共 ${total} 条`,
  ],
  pastTheEnd: ['This page is past the end', '已超出最后一页'],
  goToLast: ['Go to the last page', '前往最后一页'],
  nothingMatches: ['Nothing matches these filters', '没有符合筛选条件的记录'],
  clearFilters: ['Clear filters', '清除筛选'],
  removeFilter: [
    (label: string, value: string) => `Remove the filter ${label} ${value}`,
    (label, value) => `移除筛选：${label} ${value}`,
  ],
  arrows: ['Arrow keys move between the rows.', '使用方向键在各行之间移动。'],
  noSuch: [(noun: string) => `There is no such ${noun}`, (noun) => `该${noun}不存在`],
  noSuchWhy: [
    'The address names one that is gone, that never was, or that belongs elsewhere.',
    '该记录可能已删除、从未存在，或不属于此处。',
  ],
  openById: ['Open by id', '按 ID 打开'],
});

export const dayWords = words({
  from: [(label: string) => `${label} from`, (label) => `${label}起`],
  to: [(label: string) => `${label} to`, (label) => `${label}止`],
  startOfDay: ['00:00 UTC', '00:00 UTC'],
  endOfDay: ['24:00 UTC', '24:00 UTC'],
  backwards: ['Before the first day', '早于起始日'],
  anyTime: ['Any time', '不限时间'],
  today: ['Today', '今天'],
  yesterday: ['Yesterday', '昨天'],
  days7: ['Last 7 days', '近 7 天'],
  days30: ['Last 30 days', '近 30 天'],
  month: ['This month', '本月'],
  lastMonth: ['Last month', '上月'],
  custom: ['Other days', '自定义'],
});

export const csvWords = words({
  button: ['CSV', 'CSV'],
  meaning: ['Save all rows that these filters leave as CSV', '将筛选结果的全部记录导出为 CSV'],
  progress: [
    (done: string, total: string) => `${done} of ${total}`,
    (done, total) => `已导出 ${done} / ${total}`,
  ],
  started: ['Saving as CSV', '正在导出 CSV'],
  waits: ['The service is busy. Going on in a moment…', '服务繁忙，稍后自动继续…'],
  cancel: ['Cancel', '取消'],
  cancelled: ['Nothing was saved', '已取消，未保存文件'],
  saved: [
    (count: number, shown: string) => `${plural(count, 'row', 'rows', shown)} saved`,
    (_count, shown) => `已导出 ${shown} 条`,
  ],
  failed: ['The rows were not saved', '导出失败'],
});

export const viewWords = words({
  button: ['Views', '视图'],
  none: ['Filters and order can be kept here under a name.', '可将当前筛选与排序命名保存。'],
  own: ['Saved in this browser', '保存在此浏览器'],
  name: ['Name', '名称'],
  save: ['Save this view', '保存当前视图'],
  full: [(count: number) => `There are ${count} views already`, (count) => `最多保存 ${count} 个视图`],
  remove: [(name: string) => `Remove the view ${name}`, (name) => `删除视图 ${name}`],
});
