import type { ReactNode } from 'react';
import { plural, words } from './words.ts';

export const overviewWords = words({
  title: ['Overview', '概览'],
  about: [
    (workspace: string) => `What the keys of ${workspace} called, and what wants to be looked at`,
    (workspace: string) => `${workspace} 的密钥调用情况与待处理事项`,
  ],
  span: ['Time span', '时间范围'],
  days: [
    (days: number) => (days === 1 ? '24 hours' : `${days} days`),
    (days: number) => (days === 1 ? '24 小时' : `${days} 天`),
  ],

  calls: ['Calls', '调用次数'],
  passed: ['Passed', '成功'],
  refused: ['Refused', '被拒绝'],
  failed: ['Failed', '失败'],
  share: [(share: string) => `${share} of calls`, (share: string) => `占调用的 ${share}`],
  answered: ['Answered within', '响应时间'],
  p50: ['half of calls', '50% 的调用'],
  p95: [(time: string) => `95 of 100 within ${time}`, (time: string) => `95% 的调用在 ${time}内`],
  noTime: ['None yet', '暂无'],

  chart: ['Calls over time', '调用趋势'],
  chartAbout: [
    'Refused: answered with 4xx. Failed: answered with 5xx.',
    '被拒绝：返回 4xx。失败：返回 5xx。',
  ],
  asTable: ['Show as table', '以表格显示'],
  asChart: ['Show as chart', '以图表显示'],
  chartUse: ['Calls over time: choose a time with the arrow keys', '调用趋势：用方向键选择时间'],
  point: [
    (when: string, passed: string, refused: string, failed: string) =>
      `${when}: ${passed} passed, ${refused} refused, ${failed} failed`,
    (when: string, passed: string, refused: string, failed: string) =>
      `${when}：成功 ${passed}，被拒绝 ${refused}，失败 ${failed}`,
  ],
  time: ['Time', '时间'],
  noCalls: ['No calls in this time', '此时间段内没有调用'],

  codes: ['Why calls were refused', '拒绝与失败原因'],
  codesAbout: ['The most frequent codes of refusals and failures', '拒绝与失败中最常见的错误码'],
  noCodes: ['Nothing was refused and nothing failed.', '没有被拒绝或失败的调用。'],
  unknownCode: ['This code is not in the catalogue.', '目录中没有此错误码。'],
  callsOf: [
    (count: number, shown: string) => plural(count, 'call', 'calls', shown),
    (_count: number, shown: string) => `${shown} 次`,
  ],
  seeCode: [(code: string) => `Requests with ${code}`, (code: string) => `查看 ${code} 的请求`],

  keys: ['By key', '按密钥'],
  keysAbout: ['Keys that called, the busiest first', '有调用的密钥，按次数排序'],
  key: ['Key', '密钥'],
  lastPassed: ['Last passed', '最近成功'],
  never: ['Never', '从未'],
  seeRefused: [(key: string) => `Refused calls of ${key}`, (key: string) => `${key} 被拒绝的调用`],
  seeFailed: [(key: string) => `Failed calls of ${key}`, (key: string) => `${key} 失败的调用`],
  seeCalls: [(key: string) => `Calls of ${key}`, (key: string) => `${key} 的调用`],
  noKeys: ['No key called in this time.', '此时间段内没有密钥调用。'],

  attention: ['Needs attention', '待处理'],
  attentionAbout: ['What will stop working, or already has', '即将失效或已出问题的项目'],
  allWell: ['Nothing needs attention.', '目前没有需要处理的事项。'],
  keyExpires: [
    (name: ReactNode, when: ReactNode) => (
      <>
        The key {name} ends {when}
      </>
    ),
    (name: ReactNode, when: ReactNode) => (
      <>
        密钥 {name} 将于 {when} 到期
      </>
    ),
  ],
  keyUnused: [
    (name: ReactNode, when: ReactNode) => (
      <>
        The key {name} was last used {when}
      </>
    ),
    (name: ReactNode, when: ReactNode) => (
      <>
        密钥 {name} 最近一次使用是 {when}
      </>
    ),
  ],
  keyNeverUsed: [
    (name: ReactNode) => <>The key {name} was never used</>,
    (name: ReactNode) => <>密钥 {name} 从未使用过</>,
  ],
  keyWithoutScope: [
    (name: ReactNode) => <>The key {name} has no scope: every call with it is refused</>,
    (name: ReactNode) => <>密钥 {name} 没有任何权限，所有调用都会被拒绝</>,
  ],
  rotationOpen: [
    (name: ReactNode, when: ReactNode) => (
      <>
        The rotation of {name} is open: its old secret works until {when}
      </>
    ),
    (name: ReactNode, when: ReactNode) => (
      <>
        密钥 {name} 的轮换尚未结束：旧密钥值在 {when} 前仍有效
      </>
    ),
  ],
  channelFailing: [
    (name: ReactNode, when: ReactNode) => (
      <>
        The channel {name} has been failing since {when}
      </>
    ),
    (name: ReactNode, when: ReactNode) => (
      <>
        通知渠道 {name} 自 {when} 起投递失败
      </>
    ),
  ],
  channelDown: [
    (name: ReactNode) => <>Nothing arrives through the channel {name}</>,
    (name: ReactNode) => <>通知渠道 {name} 无法投递</>,
  ],
  ownerWithoutFactor: [
    (name: ReactNode) => <>The owner {name} has no second factor</>,
    (name: ReactNode) => <>所有者 {name} 未开启两步验证</>,
  ],
  youWithoutFactor: ['You have no second factor', '您尚未开启两步验证'],
  byExpiry: ['Keys by expiry', '按到期时间查看密钥'],
  seeKey: ['Open key', '查看密钥'],
  seeChannel: ['Open channel', '查看渠道'],
  seeMembers: ['Open members', '查看成员'],
  addFactor: ['Add one', '去开启'],
});

/** The way to the first signed call. */
export const firstCallWords = words({
  title: ['Your first signed call', '完成首次签名调用'],
  about: ['Three steps. Each ticks itself off once it is done.', '共三步，每完成一步会自动打勾。'],
  doneAbout: ['All three steps are done.', '三步均已完成。'],
  done: ['Done', '已完成'],
  open: ['To do', '待完成'],
  create: ['Create an API key', '创建 API 密钥'],
  createAbout: [
    'A TEST key is right to begin with: nothing it does is real. Give it the scope transfers:read.',
    '建议先使用 TEST 密钥：其操作不涉及真实业务。请勾选 transfers:read 权限。',
  ],
  createAsk: [
    'Owners of the workspace create keys. Ask one of them for a TEST key.',
    '密钥由工作区所有者创建，请向其申请一个 TEST 密钥。',
  ],
  createLink: ['Create a key', '去创建'],
  sign: ['Sign a call and send it', '签名并发送一次调用'],
  signAbout: [
    'With the command line of Portico, or with a sample in your language. The secret is asked for, and stays out of the history of the shell.',
    '可使用 Portico 命令行，或您所用语言的示例代码。命令会提示输入密钥值，不会留在 Shell 历史中。',
  ],
  commands: ['Commands', '命令'],
  copy: ['commands', '命令'],
  samples: ['Samples in bash, Node and Python', '查看 Bash、Node、Python 示例'],
  see: ['See it arrive', '确认调用成功'],
  seeAbout: [
    'The first call that passes is shown here by itself, a second or two after it was made.',
    '首次成功的调用会在一两秒内自动显示在此处。',
  ],
  wasRefused: [
    'A call arrived and was refused. The requests say why.',
    '已收到调用，但被拒绝。请在“请求”中查看原因。',
  ],
  requests: ['See the requests', '查看请求'],
  close: ['Close', '关闭'],
});
