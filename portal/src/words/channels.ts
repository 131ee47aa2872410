import type { EventType } from '@portico/sdk/portal';
import { plural, words } from './words.ts';

/** The list of channels, and one of them. */
export const channelsWords = words({
  title: ['Channels', '通知渠道'],
  channel: ['channel', '通知渠道'],
  oneChannel: ['Channel', '通知渠道'],
  about: ['Who is told of what happens in the workspace, and how', '工作区内发生的事件通知谁、如何通知'],
  aboutToReaders: [
    'Who is told of what happens in the workspace, and how. Only owners change them.',
    '工作区内发生的事件通知谁、如何通知。仅所有者可以修改。',
  ],
  none: ['No channels yet', '暂无通知渠道'],
  noneTest: ['No TEST channels yet', '暂无 TEST 通知渠道'],
  noneAbout: [
    'A channel tells a program or people of what happens in this workspace as it happens: a transfer that arrives, a file that is uploaded, a key that is about to expire.',
    '通知渠道会把工作区内发生的事件实时告知程序或人员：转账到账、文件上传、密钥即将过期等。',
  ],
  noneToOwners: [
    'Create one for each receiver: a webhook for a program, e-mail or the bell for people.',
    '请为每个接收方创建一个渠道：程序用 Webhook，人员用邮件或站内通知。',
  ],
  noneToReaders: ['Owners of the workspace create them.', '由工作区的所有者创建。'],
  create: ['Create channel', '创建渠道'],
  allChannels: ['All channels', '全部渠道'],
  status: ['Status', '状态'],
  name: ['Name', '名称'],
  events: ['Events', '事件'],
  created: ['Created', '创建时间'],
  began: [(when: string) => `began ${when}`, (when) => `始于${when}`],
  nothingSent: ['nothing sent yet', '尚未发送'],
  arrived: [(when: string) => `arrived ${when}`, (when) => `${when}送达`],
  eventCount: [(count: number) => `${count} events`, (count) => `${count} 个事件`],
  allEvents: ['All events', '全部事件'],
  someEvents: [
    (count: number, of: number) => `${count} of ${of} events`,
    (count, of) => `${count} / ${of} 个事件`,
  ],
  between: [', ', '、'],

  sendTest: ['Send test', '发送测试'],
  edit: ['Edit', '编辑'],
  rotateSecret: ['Rotate secret', '轮换密钥'],
  enable: ['Enable', '启用'],
  disable: ['Disable', '停用'],
  delete: ['Delete', '删除'],

  health: ['Health', '健康状况'],
  lastSuccess: ['Last success', '最近成功'],
  failingSince: ['Failing since', '开始失败'],
  changed: ['Changed', '修改时间'],
  never: ['Never', '从未'],
  notFailing: ['Not failing', '没有失败'],
  disabledByOwner: ['An owner disabled it.', '已被所有者停用。'],
  disabledAsGone: [
    'Its receiver answered 410 Gone, which says that it is not to be called any more.',
    '接收方返回 410 Gone，表示不应再调用它。',
  ],
  disabledAsFailed: ['Nothing arrived for five days.', '连续五天没有一次送达。'],
  disabled: ['It is disabled.', '已停用。'],
  untilEnabled: [
    (why: string) => `${why} Nothing is sent until an owner enables it.`,
    (why) => `${why}在所有者启用之前不会发送任何内容。`,
  ],
  failing: [
    (since: string | undefined) =>
      `What is sent does not arrive${since === undefined ? '' : `, which began ${since}`}. It is tried again with growing pauses; after five days without success the channel is disabled.`,
    (since) =>
      `发送的内容未能送达${since === undefined ? '' : `，始于${since}`}。系统会以逐渐加长的间隔重试；连续五天未成功将停用该渠道。`,
  ],
  nothingYet: [
    'Nothing has been sent yet. A test shows whether it arrives.',
    '尚未发送任何内容。可发送测试确认能否送达。',
  ],
  arrives: ['What is sent arrives.', '发送的内容均已送达。'],

  settings: ['Settings', '设置'],
  settingsAbout: ['Where it sends to, and what it tells of', '发送到哪里，通知哪些事件'],
  channelId: ['Channel id', '渠道 ID'],
  neverShown: ['Never shown again', '不再显示'],
  notSet: ['Not set', '未设置'],
  yes: ['Yes', '是'],
  no: ['No', '否'],

  testSent: [(name: string) => `A test is on its way to ${name}`, (name) => `已向 ${name} 发送测试`],
  isEnabled: [(name: string) => `${name} is enabled`, (name) => `${name} 已启用`],
  isDisabled: [(name: string) => `${name} is disabled`, (name) => `${name} 已停用`],
  isDeleted: [(name: string) => `${name} is deleted`, (name) => `${name} 已删除`],
  isChanged: [(name: string) => `${name} is changed`, (name) => `${name} 已修改`],
  isCreated: [(name: string) => `${name} is created`, (name) => `${name} 已创建`],
  isRotated: [(name: string) => `${name} has a new secret`, (name) => `${name} 已有新的签名密钥`],
  isOnItsWay: [(event: string) => `${event} is on its way again`, (event) => `${event} 正在重新发送`],
});

/** What a channel told of, and what became of it. */
export const deliveriesWords = words({
  title: ['Deliveries', '发送记录'],
  about: [
    'What this channel told of in the last 30 days, and whether it arrived',
    '该渠道最近 30 天发送的通知，以及是否送达',
  ],
  delivery: ['delivery', '发送记录'],
  none: ['Nothing has been delivered yet', '暂无发送记录'],
  noneAbout: [
    'What happens from now on is listed here as it is sent. A test is the quickest way to see one.',
    '此后发生的事件发送时会列在这里。发送一次测试即可立即看到。',
  ],
  redeliverFailed: ['Redeliver what failed…', '重新发送失败的通知…'],
  event: ['Event', '事件'],
  status: ['Status', '状态'],
  attempts: ['Attempts', '尝试次数'],
  response: ['Response', '响应'],
  duration: ['Duration', '耗时'],
  created: ['Created', '创建时间'],
  updated: ['Updated', '更新时间'],
  eventId: ['Event id', '事件 ID'],
  deliveryId: ['Delivery id', '发送 ID'],
  noAnswer: ['No answer', '无响应'],
  whyNoAnswer: ['Why there was no answer', '无响应的原因'],
  lastAnswer: ['Last answer', '最近一次响应'],
  unknown: ['Nothing is known of it.', '没有更多信息。'],
  noBody: ['It had no body.', '响应没有正文。'],
  tryNow: ['Try now', '立即重试'],
  redeliver: ['Redeliver', '重新发送'],
  now: ['now', '即将'],
  inSeconds: [(count: number) => `in ${plural(count, 'second', 'seconds')}`, (count) => `${count} 秒后`],
  first: [(when: string) => `First attempt ${when}`, (when) => `${when}首次发送`],
  next: [(when: string) => `Next attempt ${when}`, (when) => `${when}再次发送`],
});

type Subject = EventType extends infer Type ? (Type extends `${infer Name}.${string}` ? Name : never) : never;
type Names = Record<Subject, string>;

/** What events are about. */
export const eventGroupWords: Names = words<Names>({
  transfer: ['Transfers', '转账'],
  file: ['Files', '文件'],
  'api-key': ['API keys', 'API 密钥'],
  member: ['Members', '成员'],
  channel: ['Channels', '通知渠道'],
});
