import type { WorkspaceRole } from '@portico/sdk/portal';
import type { ReactNode } from 'react';
import { words } from './words.ts';

export const membersWords = words({
  title: ['Members', '成员'],
  description: [
    (workspace: string, isOwner: boolean) =>
      `Who has a role in ${workspace}${isOwner ? '' : '. Only owners change that.'}`,
    (workspace, isOwner) => `${workspace} 的成员${isOwner ? '' : '。只有所有者可以变更。'}`,
  ],
  invite: ['Invite', '邀请'],
  invitations: ['Invitations', '邀请'],
  nobody: ['Nobody has a role here', '暂无成员'],
  nobodyInvited: ['Nobody is invited', '暂无邀请'],
  invitationTerms: [
    'Whom you invite gets a link that works once, for seven days.',
    '受邀人会收到一个链接，七天内有效，只能使用一次。',
  ],
  lastSignIn: ['Last sign-in', '最近登录'],
  joined: ['Joined', '加入时间'],
  invited: ['Invited', '邀请时间'],
  ends: ['Ends', '失效时间'],
  you: ['(you)', '（我）'],
  by: [(inviter: ReactNode) => <>by {inviter}</>, (inviter) => <>邀请人：{inviter}</>],
  theOperator: ['the operator', '运维人员'],
  name: ['Name', '姓名'],
});

export const memberDeedWords = words({
  changeRole: ['Change role', '更改角色'],
  signOutEverywhere: ['Sign out everywhere', '退出所有登录'],
  signOutTitle: ['End every session', '结束所有会话'],
  signOut: ['Sign out', '退出登录'],
  removeTitle: ['Remove from the workspace', '移出工作区'],
  remove: ['Remove', '移除'],
  leaveTitle: ['Leave the workspace', '离开工作区'],
  leave: ['Leave', '离开'],
  revokeTitle: ['Revoke the invitation', '撤销邀请'],
  revoke: ['Revoke', '撤销'],
  inviteTitle: ['Invite someone', '邀请成员'],
  invitedTitle: ['Invited', '已邀请'],
});

export const memberFormWords = words({
  emailDescription: [
    'Only the account of this address can accept; whoever has none makes one',
    '只有该邮箱的账户可以接受邀请；没有账户的可以新建',
  ],
  roleOf: [
    (name: ReactNode, workspace: ReactNode) => (
      <>
        What {name} may do in {workspace}, from the next request on.
      </>
    ),
    (name, workspace) => (
      <>
        {name} 在 {workspace} 中的权限，从下一次请求起生效。
      </>
    ),
  ],
  ownRole: ['This is your own role', '这是您自己的角色'],
  ownRoleCaution: [
    'Only another owner can make you an owner again.',
    '只有其他所有者才能让您重新成为所有者。',
  ],
  signOut: [
    (name: ReactNode) => (
      <>{name} is signed out everywhere with the next click, on every device, and may sign in again.</>
    ),
    (name) => <>{name} 在所有设备上的登录将随下一次操作失效，之后可以重新登录。</>,
  ],
  remove: [
    (name: ReactNode, workspace: ReactNode, again: ReactNode) => (
      <>
        {name} loses access to {workspace} with the next request, and the invitations that {again} sent are
        revoked. The account itself stays.
      </>
    ),
    (name, workspace) => (
      <>
        {name} 从下一次请求起将无法访问 {workspace}，其发出的邀请会被撤销。账户本身保留。
      </>
    ),
  ],
  leave: [
    (workspace: ReactNode) => (
      <>You lose access to {workspace} at once. Only an owner can invite you again.</>
    ),
    (workspace) => <>您将立即无法访问 {workspace}。只有所有者可以再次邀请您。</>,
  ],
  revoke: [
    (email: ReactNode) => <>The link that {email} was given stops working.</>,
    (email) => <>发给 {email} 的链接将失效。</>,
  ],
});

export const invitedWords = words({
  shownOnce: ['This link is shown only now', '链接仅显示这一次'],
  handOver: [
    (email: string, ends: ReactNode) => (
      <>
        Hand it to {email}. It works once and ends {ends}.
      </>
    ),
    (email, ends) => (
      <>
        请将链接交给 {email}。链接只能使用一次，失效时间：{ends}。
      </>
    ),
  ],
  link: ['Link', '链接'],
  byMail: [
    (email: ReactNode, ends: ReactNode) => (
      <>
        {email} gets a link by mail. It works once and ends {ends}.
      </>
    ),
    (email, ends) => (
      <>
        {email} 会通过邮件收到链接。链接只能使用一次，失效时间：{ends}。
      </>
    ),
  ],
  lostTitle: ['The link was lost on its way', '链接在传输中丢失'],
  lost: [
    (email: string) =>
      `${email} is invited, but the answer with the link did not arrive, and it is shown only once. Invite ${email} again for a new one.`,
    (email) => `已邀请 ${email}，但包含链接的响应未送达，而链接只显示一次。请重新邀请 ${email}。`,
  ],
});

/** What was done, for those who hear the page. */
export const memberSaidWords = words({
  signedOut: [(name: string) => `${name} is signed out`, (name) => `${name} 已退出登录`],
  removed: [(name: string) => `${name} is removed`, (name) => `${name} 已移除`],
  revoked: [(email: string) => `The invitation of ${email} is revoked`, (email) => `${email} 的邀请已撤销`],
  invited: [(email: string) => `${email} is invited`, (email) => `已邀请 ${email}`],
  role: [(name: string, role: string) => `${name} is now ${role}`, (name, role) => `${name} 现在是${role}`],
});

const rights: Record<WorkspaceRole, readonly [en: string, zh: string]> = {
  OWNER: [
    'Everything, API keys, members and the audit log included',
    '全部权限，包括 API 密钥、成员和审计日志',
  ],
  MEMBER: ['Reads, and works with files and transfers', '可查看，并可处理文件和转账'],
  VIEWER: ['Reads', '仅可查看'],
};

/** What each role may do. */
export const rightsWords = words(rights);

/** By code of a refusal: what stands above its message. */
export const memberRefusalWords = words({
  '4090': ['That is a member already', '该用户已是成员'],
  '4094': ['A workspace keeps an owner', '工作区必须保留一位所有者'],
  '4096': ['That is one too many', '数量已达上限'],
});
