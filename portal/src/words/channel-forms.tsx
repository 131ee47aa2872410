import type { ReactNode } from 'react';
import { words } from './words.ts';

/** The dialogs in which channels are created and changed. */
export const channelFormsWords = words({
  createTitle: ['Create channel', '创建渠道'],
  editTitle: ['Edit channel', '编辑渠道'],
  rotateTitle: ['Rotate secret', '轮换密钥'],
  disableTitle: ['Disable channel', '停用渠道'],
  deleteTitle: ['Delete channel', '删除渠道'],
  redeliverTitle: ['Redeliver what failed', '重新发送失败的通知'],
  createdTitle: ['Channel created', '渠道已创建'],
  rotatedTitle: ['Secret rotated', '密钥已轮换'],

  howTold: ['How do you want to be told?', '希望以哪种方式接收通知？'],
  noType: ['No type of channel is enabled', '没有已启用的渠道类型'],
  noTypeAbout: ['Whoever operates this service enables them.', '渠道类型由本服务的运营方启用。'],
  close: ['Close', '关闭'],
  create: ['Create channel', '创建渠道'],
  back: ['Back', '返回'],
  save: ['Save changes', '保存更改'],

  name: ['Name', '名称'],
  nameAbout: ['What you know the channel by', '用于识别该渠道'],
  nameNeeded: ['Give the channel a name', '请输入渠道名称'],
  nameTooLong: [
    (max: number, length: number) => `A name has at most ${max} characters, not ${length}`,
    (max, length) => `名称最多 ${max} 个字符，当前为 ${length} 个`,
  ],
  modeAbout: ['It stays what it is for the life of the channel', '创建后不可更改'],
  liveMeaning: ['Tells of the real data of the workspace', '通知工作区的真实数据'],
  testMeaning: ['Tells of its test data, for trying things out', '通知测试数据，用于调试'],
  liveBand: ['This channel tells of real data.', '该渠道通知真实数据。'],
  testBand: ['This channel tells of test data only.', '该渠道仅通知测试数据。'],

  events: ['Events', '事件'],
  chosen: [(count: number, of: number) => `${count} of ${of} chosen`, (count, of) => `已选 ${count} / ${of}`],
  all: ['All', '全选'],
  none: ['None', '清空'],
  allOf: [(group: string) => `All of ${group}`, (group) => `全部${group}事件`],
  chooseOne: ['Choose at least one', '请至少选择一项'],

  notNow: ['That cannot be done now', '当前无法执行此操作'],
  tooMany: ['That is one channel too many', '渠道数量已达上限'],

  disable: ['Disable', '停用'],
  disableAbout: [
    (name: ReactNode) => (
      <>
        {name} tells of nothing until you enable it again. What waits to be delivered is cancelled; you can
        deliver it again later.
      </>
    ),
    (name) => (
      <>停用后，{name} 将不再发送任何通知，直到重新启用。等待发送的通知会被取消，之后可以重新发送。</>
    ),
  ],
  delete: ['Delete', '删除'],
  deleteAbout: [
    (name: ReactNode) => (
      <>
        {name} is gone for good, with its deliveries and its secret. To stop it for a while, disable it
        instead.
      </>
    ),
    (name) => <>{name} 及其发送记录和密钥将被永久删除。如只需暂停，请改为停用。</>,
  ],
  rotate: ['Rotate secret', '轮换密钥'],
  rotateAbout: [
    (name: ReactNode) => (
      <>
        {name} gets a new signing secret. For 24 hours what is sent carries two signatures, of the old secret
        and of the new one; after that of the new one alone.
      </>
    ),
    (name) => (
      <>{name} 将获得新的签名密钥。24 小时内发送的内容同时带有新旧两个密钥的签名，之后仅使用新密钥。</>
    ),
  ],

  redeliverAbout: [
    'Every delivery that failed or was cancelled since then is tried again, the oldest first. Receivers know what they have seen already by its event id.',
    '自该时间起所有失败或已取消的通知都会从最早的开始重新发送。接收方可凭事件 ID 识别重复内容。',
  ],
  createdSince: ['Created since', '创建时间不早于'],
  redeliver: ['Redeliver', '重新发送'],
  nothingFailed: ['Nothing failed since then', '自该时间起没有失败的通知'],
  redelivered: [
    (count: number, shown: string, hasMore: boolean) =>
      `${count === 1 ? '1 delivery is' : `${shown} deliveries are`} on the way again${hasMore ? '; there are more, so do it once more' : ''}`,
    (_count, shown, hasMore) => `${shown} 条通知正在重新发送${hasMore ? '；还有更多，请再执行一次' : ''}`,
  ],

  channelId: ['Channel id', '渠道 ID'],
  signingSecret: ['Signing secret', '签名密钥'],
  createdAbout: [
    'Your receiver verifies with it that what arrives comes from here. Store it where the receiver reads it.',
    '接收方用它验证收到的内容确实来自本服务。请将其保存到接收方可读取的位置。',
  ],
  rotatedAbout: [
    'For 24 hours everything is signed with the old secret and with this one. Put this one into your receiver before that ends.',
    '24 小时内所有内容同时使用旧密钥和新密钥签名。请在此之前把新密钥配置到接收方。',
  ],
  createdLost: [
    (name: string) =>
      `“${name}” is created, but the answer with the secret did not arrive, and it is shown only once. Rotate the secret for a new one.`,
    (name) => `“${name}”已创建，但包含密钥的响应未能收到，而密钥只显示一次。请轮换密钥以获取新的密钥。`,
  ],
  rotatedLost: [
    (name: string) =>
      `“${name}” has a new secret, but the answer with the secret did not arrive, and it is shown only once. Rotate the secret for a new one.`,
    (name) => `“${name}”已有新的密钥，但包含密钥的响应未能收到，而密钥只显示一次。请再次轮换密钥。`,
  ],
});
