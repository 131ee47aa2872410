import { plural, words } from './words.ts';

/** What every page has. */
export const uiWords = words({
  product: ['Partner portal and signed Open API', '合作方门户与签名开放接口'],
  loading: ['Loading', '正在加载'],
  close: ['Close', '关闭'],
  cancel: ['Cancel', '取消'],
  done: ['Done', '完成'],
  retry: ['Retry', '重试'],
  save: ['Save', '保存'],
  download: ['Download', '下载'],
  actions: ['Actions', '操作'],
  actionsFor: [(name: string) => `Actions for ${name}`, (name) => `${name} 的操作`],
  or: ['or', '或'],
  unknown: ['Unknown', '未知'],
  never: ['Never', '从未'],
  none: ['None', '无'],
  mode: ['Mode', '模式'],
  email: ['Email', '邮箱'],
  password: ['Password', '密码'],
  code: ['Code', '验证码'],
  name: ['Name', '名称'],
  status: ['Status', '状态'],
  role: ['Role', '角色'],
  noWorkspace: ['You have no role in any workspace', '您不在任何工作区中'],
  askOwner: ['Ask an owner of a workspace to invite you to it.', '请联系工作区的所有者邀请您加入。'],
  showTyped: ['Show what was typed', '显示输入的内容'],
  justNow: ['just now', '刚刚'],
  bytes: [
    (count: number, shown: string) => plural(count, 'byte', 'bytes', shown),
    (_count, shown) => `${shown} 字节`,
  ],
});

export const copyWords = words({
  copy: [(what: string) => `Copy ${what}`, (what) => `复制${what}`],
  copyAll: ['Copy all', '全部复制'],
  copied: ['Copied', '已复制'],
  failed: [
    'This browser does not let the portal copy. Copy what is marked yourself.',
    '浏览器不允许门户复制。请自行复制已选中的内容。',
  ],
  requestId: ['request id', '请求 ID'],
  value: ['The value', '内容'],
});

export const problemWords = words({
  code: [(code: string) => `Code ${code}`, (code) => `错误码 ${code}`],
  requestId: ['Request id', '请求 ID'],
  saidByService: [(message: string) => message, (message) => `服务返回：${message}`],
  away: ['The service is not reachable', '无法连接服务'],
  failed: ['That did not work', '操作未成功'],
  notYet: ['This cannot be saved yet', '暂时无法保存'],
  tooMany: ['Too many attempts. Try again later.', '尝试次数过多，请稍后再试。'],
  tooManyFor: [
    (wait: string) => `Too many attempts. Try again in ${wait}.`,
    (wait) => `尝试次数过多，请在 ${wait}后重试。`,
  ],
  seconds: [(count: number) => plural(count, 'second', 'seconds'), (count) => `${count} 秒`],
  minutes: [(count: number) => `${count} minutes`, (count) => `${count} 分钟`],
  noAnswer: ['No answer came. Portico tries again by itself.', '没有收到响应，Portico 会自动重试。'],
  noCheck: [
    'The check that you are human cannot be verified at the moment. Try again in a few seconds.',
    '暂时无法完成人机验证，请几秒后重试。',
  ],
  notAvailable: [
    'The service is not available at the moment. Portico tries again by itself.',
    '服务暂时不可用，Portico 会自动重试。',
  ],
  unexpected: ['Something unexpected happened.', '发生了意外情况。'],
});

export const onceWords = words({
  title: ['This secret is shown only now', '密钥仅显示这一次'],
  stored: ['I have stored the secret', '我已妥善保存密钥'],
  lost: ['The secret was lost on its way', '密钥在传输中丢失'],
});

export const passwordWords = words({
  tooShort: [
    (least: number) => `The password has at least ${least} characters.`,
    (least) => `密码至少 ${least} 个字符。`,
  ],
  tooLong: [
    (most: number) => `The password has at most ${most} characters.`,
    (most) => `密码最多 ${most} 个字符。`,
  ],
  description: [
    (least: number) => `At least ${least} characters. Several words are better than one with signs in it.`,
    (least) => `至少 ${least} 个字符。多个词组合比一个带符号的词更安全。`,
  ],
  next: ['New password', '新密码'],
});
