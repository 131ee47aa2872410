import type { ReactNode } from 'react';
import { words } from './words.ts';

/** The list and the drawer of API keys. */
export const apiKeysWords = words({
  title: ['API keys', 'API 密钥'],
  noun: ['API key', 'API 密钥'],
  aboutOwner: [
    'Your programs sign their calls to the Open API with these',
    '您的程序使用密钥为开放接口调用签名',
  ],
  aboutOthers: [
    'Programs sign their calls to the Open API with these. Only owners of the workspace change them.',
    '程序使用密钥为开放接口调用签名。仅工作区所有者可以更改。',
  ],
  create: ['Create API key', '创建 API 密钥'],
  noneYet: ['No API keys yet', '暂无 API 密钥'],
  noneOwner: [
    'An API key signs calls to the Open API. Create one for each program that makes them.',
    'API 密钥用于为开放接口调用签名。请为每个调用程序单独创建。',
  ],
  noneOthers: [
    'An API key signs calls to the Open API. Owners of the workspace create them.',
    'API 密钥用于为开放接口调用签名，由工作区所有者创建。',
  ],
  details: ['Details', '详情'],
  keyId: ['Key id', '密钥 ID'],
  scopes: ['Scopes', '权限范围'],
  addresses: ['IP addresses', 'IP 白名单'],
  anyAddress: ['Any address', '不限地址'],
  lastUsed: ['Last used', '最近使用'],
  lastUsedFrom: ['Last used from', '最近使用地址'],
  created: ['Created', '创建时间'],
  expires: ['Expires', '过期时间'],
  secretVersion: ['Secret version', '签名密钥版本'],
  rotating: ['Rotating', '轮换中'],
  oldEnds: [(when: string) => `The old secret ends ${when}`, (when) => `旧签名密钥将于${when}失效`],
  noScope: ['None: the key may do nothing', '无：此密钥没有任何权限'],
  isLive: ['This key works on real data.', '此密钥操作真实数据。'],
  isTest: ['This key works on test data only.', '此密钥仅操作测试数据。'],
  requests: ['Requests of this key', '此密钥的请求'],
  history: ['History', '操作记录'],
  allHistory: ['All in the audit log', '在审计日志中查看全部'],
  noHistory: ['Nothing was written down about this key.', '此密钥没有操作记录。'],
  deedBy: [
    (deed: string, name: ReactNode) => (
      <>
        {deed} by {name}
      </>
    ),
    (deed, name) => (
      <>
        {name}：{deed}
      </>
    ),
  ],
});

/** What is done with a key, and what is said of it then. */
export const keyActionWords = words({
  edit: ['Edit', '编辑'],
  rotate: ['Rotate', '轮换'],
  disable: ['Disable', '停用'],
  enable: ['Enable', '启用'],
  revoke: ['Revoke', '吊销'],
  end: ['End old secret', '立即停用旧签名密钥'],
  createTitle: ['Create API key', '创建 API 密钥'],
  editTitle: ['Edit API key', '编辑 API 密钥'],
  rotateTitle: ['Rotate API key', '轮换 API 密钥'],
  disableTitle: ['Disable API key', '停用 API 密钥'],
  enableTitle: ['Enable API key', '启用 API 密钥'],
  revokeTitle: ['Revoke API key', '吊销 API 密钥'],
  endTitle: ['End old secret', '停用旧签名密钥'],
  createdTitle: ['API key created', 'API 密钥已创建'],
  rotatedTitle: ['API key rotated', 'API 密钥已轮换'],
  disabled: [(name: string) => `${name} is disabled`, (name) => `${name} 已停用`],
  enabled: [(name: string) => `${name} is enabled`, (name) => `${name} 已启用`],
  revoked: [(name: string) => `${name} is revoked`, (name) => `${name} 已吊销`],
  changed: [(name: string) => `${name} is changed`, (name) => `${name} 已更新`],
  ended: [(name: string) => `The old secret of ${name} has ended`, (name) => `${name} 的旧签名密钥已失效`],
  created: [(name: string) => `${name} is created`, (name) => `${name} 已创建`],
  rotated: [(name: string) => `${name} has a new secret`, (name) => `${name} 已生成新签名密钥`],
  disableMeans: [
    (name: ReactNode) => <>{name} is refused from its next call on, until you enable it again.</>,
    (name) => <>{name} 的后续调用将被拒绝，直到重新启用。</>,
  ],
  enableMeans: [
    (name: ReactNode) => <>{name} works again from its next call on, with the same secret.</>,
    (name) => <>{name} 将恢复可用，签名密钥不变。</>,
  ],
  endMeans: [
    (name: ReactNode) => (
      <>The old secret of {name} stops working at once. Calls that are still signed with it are refused.</>
    ),
    (name) => <>{name} 的旧签名密钥将立即失效，仍使用它签名的调用会被拒绝。</>,
  ],
  revokeMeans: [
    (use: ReactNode) => (
      <>
        Every call that is signed with this key is refused from now on. This cannot be undone. The key: {use}.
      </>
    ),
    (use) => <>此后使用此密钥签名的调用都会被拒绝，且无法撤销。此密钥{use}。</>,
  ],
  typeName: [(name: ReactNode) => <>Type “{name}” to confirm</>, (name) => <>请输入“{name}”以确认</>],
});

/** A rotation, and the secret that comes of it or of a new key. */
export const secretWords = words({
  grace: ['Grace period', '宽限期'],
  graceAbout: [
    'How long the current secret goes on working beside the new one',
    '当前签名密钥与新签名密钥同时有效的时长',
  ],
  graceNone: ['None: the current secret stops at once', '无：当前签名密钥立即失效'],
  graceHour: ['1 hour', '1 小时'],
  graceDay: ['1 day', '1 天'],
  graceWeek: ['7 days', '7 天'],
  graceMonth: ['30 days', '30 天'],
  stopsAtOnce: [
    'The current secret stops working the moment you rotate. Calls that are still signed with it are refused.',
    '轮换后当前签名密钥立即失效，仍使用它签名的调用会被拒绝。',
  ],
  bothUntil: [
    (end: string) =>
      `Both secrets work until ${end}; then only the new one does. Put the new secret into your programs before that.`,
    (end) => `两个签名密钥在 ${end} 之前均有效，之后仅新签名密钥有效。请在此之前更新您的程序。`,
  ],
  alreadyOpen: ['A rotation is already open', '已有轮换正在进行'],
  alreadyOpenAbout: [
    'Two secrets of this key work, and a third is refused. Wait until the old one ends, or end it now.',
    '此密钥已有两个有效签名密钥，无法再生成。请等待旧签名密钥失效，或立即停用。',
  ],
  alreadyOpenTitle: [
    'A rotation is already open: wait until its old secret ends, or end it',
    '已有轮换正在进行：请等待旧签名密钥失效，或立即停用',
  ],
  key: ['Key', '密钥'],
  current: ['Current secret', '当前签名密钥'],
  version: [
    (version: number, use: ReactNode) => (
      <>
        Version {version}, {use}
      </>
    ),
    (version, use) => (
      <>
        版本 {version}，{use}
      </>
    ),
  ],
  whatHappens: ['What happens', '轮换结果'],
  getsNew: [
    (consequence: string) => `The key keeps its id and gets a new secret. ${consequence}`,
    (consequence) => `密钥 ID 不变，生成新签名密钥。${consequence}`,
  ],
  sure: ['I understand that this changes a LIVE key', '我了解此操作将更改 LIVE 密钥'],
  neverUsed: ['never used', '从未使用'],
  lastUsed: [(when: ReactNode) => <>last used {when}</>, (when) => <>最近使用于 {when}</>],
  old: [
    (version: number, use: ReactNode, end: ReactNode) => (
      <>
        Old secret (version {version}): {use}, ends {end}
      </>
    ),
    (version, use, end) => (
      <>
        旧签名密钥（版本 {version}）：{use}，失效时间 {end}
      </>
    ),
  ],
  next: [
    (version: number, use: ReactNode) => (
      <>
        New secret (version {version}): {use}
      </>
    ),
    (version, use) => (
      <>
        新签名密钥（版本 {version}）：{use}
      </>
    ),
  ],
  rotation: ['Rotation', '轮换'],
  isOpen: ['A rotation is open', '正在轮换'],
  secret: ['Secret', '签名密钥'],
  store: [
    (name: string) => `Store it where your program reads it. Whoever has it can make calls as “${name}”.`,
    (name) => `请将其保存到程序读取的位置。持有者即可以“${name}”的身份发起调用。`,
  ],
  lost: [
    (done: string) =>
      `${done}, but the answer with the secret did not arrive, and it is shown only once. Rotate the key for a new one.`,
    (done) => `${done}，但未收到包含签名密钥的响应，且签名密钥仅显示一次。请轮换密钥以获取新签名密钥。`,
  ],
  download: ['Download .env file', '下载 .env 文件'],
});

/** The form of a key. */
export const keyFormWords = words({
  nameAbout: ['The program that will use the key', '使用此密钥的程序'],
  nameMissing: ['Give the key a name', '请填写名称'],
  nameLong: [
    (most: number, length: number) => `A name has at most ${most} characters, not ${length}`,
    (most, length) => `名称最多 ${most} 个字符，当前 ${length} 个`,
  ],
  modeAbout: ['It stays what it is for the life of the key', '创建后不可更改'],
  liveMeans: ['Works on the real data of the workspace', '操作工作区的真实数据'],
  testMeans: ['Works on its test data, for trying things out', '操作测试数据，用于联调'],
  scopesAbout: [
    'What the key may do. Give it no more than its program needs.',
    '密钥可执行的操作。请按最小权限授予。',
  ],
  scopesMissing: [
    'Without a scope the key may do nothing: every call with it is refused.',
    '未选择权限的密钥无法使用：所有调用都会被拒绝。',
  ],
  addressesAbout: [
    'Where calls may come from: an address or CIDR block on each line. Empty: anywhere.',
    '允许的调用来源：每行一个 IP 地址或 CIDR 网段。留空则不限。',
  ],
  addressWrong: [
    (line: number, entry: string) => `Line ${line}: “${entry}” is not an IPv4 or IPv6 address or CIDR block`,
    (line, entry) => `第 ${line} 行：“${entry}”不是有效的 IPv4/IPv6 地址或 CIDR 网段`,
  ],
  addressesMany: [
    (most: number, count: number) => `At most ${most} lines, not ${count}`,
    (most, count) => `最多 ${most} 行，当前 ${count} 行`,
  ],
  expiry: ['Expiry', '有效期'],
  expiryAbout: ['When the key stops working by itself', '到期后密钥自动失效'],
  never: ['Never', '永不过期'],
  in30: ['In 30 days', '30 天后'],
  in90: ['In 90 days', '90 天后'],
  inYear: ['In a year', '一年后'],
  custom: ['At a time of your choice', '自定义时间'],
  expiresAt: ['Expires at', '过期时间'],
  expiryMissing: ['Choose the date and time at which the key expires', '请选择过期日期和时间'],
  expiryPast: ['The expiry must be in the future', '过期时间必须晚于现在'],
  saveChanges: ['Save changes', '保存更改'],
  confirm: ['Confirm', '确认'],
  back: ['Back', '返回'],
  mayDo: ['May do', '权限'],
  from: ['From', '来源'],
  nothing: ['Nothing', '无'],
  createLiveAbout: [
    'This creates a LIVE key. Its secret gives access to the real data of the workspace.',
    '即将创建 LIVE 密钥，其签名密钥可访问工作区的真实数据。',
  ],
  createLive: ['Create LIVE key', '创建 LIVE 密钥'],
  changeLiveAbout: [
    'This changes a LIVE key. Its next call is judged by what you set here.',
    '即将更改 LIVE 密钥，后续调用将按此处设置判断。',
  ],
  changeLive: ['Change LIVE key', '更改 LIVE 密钥'],
});
