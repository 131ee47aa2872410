import { words } from './words.ts';

/** Latin letters stand apart from Chinese ones. */
const apart = (name: string) => (/^\w/.test(name) ? ` ${name}` : name);

export const auditLogWords = words({
  title: ['Audit log', '审计日志'],
  record: ['record', '审计记录'],
  about: [
    (workspace: string) => `What was changed in ${workspace}, when and by whom`,
    (workspace) => `${workspace} 中的变更：内容、时间与操作者`,
  ],
  none: ['Nothing was done yet', '暂无操作记录'],
  noneAbout: [
    'Whatever is changed in this workspace is written down here, with who did it.',
    '该工作区中的每次变更及其操作者都会记录在这里。',
  ],
  ownersOnly: ['Only owners of the workspace read its audit log', '仅工作区的所有者可以查看审计日志'],
  askOwner: [
    (workspace: string | undefined) =>
      `Ask an owner of ${workspace ?? 'a workspace'} if you need to know who did something.`,
    (workspace) => `如需了解操作者，请联系${workspace === undefined ? '工作区' : ` ${workspace} `}的所有者。`,
  ],
  what: ['What', '操作'],
  by: ['By', '操作者'],
  on: ['On', '对象'],
  changed: ['Changed', '变更字段'],
  fromAddress: ['From address', '来源地址'],
  number: ['Number', '序号'],
  when: ['When', '时间'],
  action: ['Action', '操作'],
  done: ['Done', '操作时间'],

  changes: ['Changes', '变更'],
  field: ['Field', '字段'],
  before: ['Before', '变更前'],
  after: ['After', '变更后'],
  byWhom: [(name: string, kind: string) => `${name} (${kind})`, (name, kind) => `${name}（${kind}）`],
  actorId: ['Id of who did it', '操作者 ID'],
  kind: ['Kind', '类型'],
  requestId: ['Request id', '请求 ID'],
  recordId: ['Record id', '记录 ID'],
  hash: ['Hash', '哈希'],
  openThis: [(subject: string) => `Open this ${subject}`, (subject) => `打开该${apart(subject)}`],
  allBy: [(name: string) => `All by ${name}`, (name) => `${name} 的全部操作`],
  allOn: [(subject: string) => `All on this ${subject}`, (subject) => `该${apart(subject)}的全部操作`],
  hashAbout: [
    'The hash covers this record and the hash of the one before it, so that none can be changed or removed unseen.',
    '哈希涵盖本条记录及上一条记录的哈希，因此任何记录都无法被悄悄修改或删除。',
  ],
});
