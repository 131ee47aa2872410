import type { AuditAction, EventType } from '@portico/sdk/portal';
import { words } from './words.ts';

type Said = readonly [en: string, zh: string];
type Action = AuditAction | EventType;
type SubjectOf<Each> = Each extends `${infer Subject}.${string}` ? Subject : never;
type DeedOf<Each> = Each extends `${string}.${infer Deed}` ? Deed : never;

const subjects: Record<SubjectOf<Action>, Said> = {
  account: ['account', '账户'],
  'api-key': ['API key', 'API 密钥'],
  channel: ['channel', '通知渠道'],
  'channel-type': ['channel type', '渠道类型'],
  file: ['file', '文件'],
  institution: ['institution', '机构'],
  invitation: ['invitation', '邀请'],
  mail: ['mail', '邮件'],
  member: ['member', '成员'],
  'signing-key': ['signing key', '令牌签名密钥'],
  transfer: ['transfer', '转账'],
  workspace: ['workspace', '工作区'],
};

/** What something is done to, within a sentence. */
export const subjectWords = words(subjects);

const deeds: Record<DeedOf<Action>, Said> = {
  activated: ['activated', '已生效'],
  added: ['added', '已加入'],
  archived: ['archived', '已归档'],
  bound: ['bound', '已绑定身份'],
  cancelled: ['cancelled', '已取消'],
  changed: ['changed', '已变更'],
  completed: ['completed', '已完成'],
  created: ['created', '已创建'],
  deleted: ['deleted', '已删除'],
  'device-confirmed': ['device confirmed', '已确认设备登录'],
  'device-denied': ['device denied', '已拒绝设备登录'],
  disabled: ['disabled', '已停用'],
  discarded: ['discarded', '已丢弃'],
  enabled: ['enabled', '已启用'],
  expiring: ['expiring', '即将过期'],
  failed: ['failed', '失败'],
  'files-imported': ['files imported', '已导入文件'],
  invited: ['invited', '已受邀'],
  'operator-granted': ['operator granted', '已授予运维权限'],
  'operator-revoked': ['operator revoked', '已撤销运维权限'],
  'password-changed': ['password changed', '已修改密码'],
  'password-removed': ['password removed', '已移除密码'],
  'password-reset': ['password reset', '已重置密码'],
  'password-reset-requested': ['password reset requested', '已申请重置密码'],
  'previous-secret-ended': ['previous secret ended', '旧密钥已失效'],
  processing: ['processing', '处理中'],
  quarantined: ['quarantined', '已隔离'],
  redelivered: ['redelivered', '已重新投递'],
  'refresh-token-reused': ['refresh token reused', '刷新令牌被重复使用'],
  removed: ['removed', '已移除'],
  restored: ['restored', '已恢复'],
  revoked: ['revoked', '已吊销'],
  rotated: ['rotated', '已轮换'],
  'second-factor-added': ['second factor added', '已开启两步验证'],
  'second-factor-refused': ['second factor refused', '两步验证未通过'],
  'second-factor-removed': ['second factor removed', '已关闭两步验证'],
  'second-factor-started': ['second factor started', '开始设置两步验证'],
  'secret-rotated': ['secret rotated', '已轮换密钥'],
  'sign-in-failed': ['sign in failed', '登录失败'],
  'signed-in': ['signed in', '已登录'],
  'signed-out': ['signed out', '已退出登录'],
  'status-changed': ['status changed', '状态已变更'],
  tested: ['tested', '已测试'],
  'transfers-imported': ['transfers imported', '已导入转账'],
  unbound: ['unbound', '已解绑身份'],
};

/** What is done, as the audit log and the events have it. */
export const deedWords = words(deeds);

export const deedTexts = words({
  /** Of the audit log: "API key: previous secret ended". */
  action: [
    (subject: string, deed: string) => `${subject}: ${deed}`,
    (subject: string, deed: string) => `${subject}：${deed}`,
  ],
  /** Of an event: "API key expiring". */
  event: [
    (subject: string, deed: string) => `${subject} ${deed}`,
    (subject: string, deed: string) => `${subject}${deed}`,
  ],
  ping: ['Test of a channel', '通知渠道测试'],
  none: ['None', '无'],
});
