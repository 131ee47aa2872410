import type { ReactNode } from 'react';
import { words } from './words.ts';

export const signInPageWords = words({
  notSignedIn: ['You are not signed in', '您尚未登录'],
  demo: ['This is the demo', '这是演示环境'],
  demoPassword: [
    (password: ReactNode) => <>Its accounts have the password {password}. Choose one:</>,
    (password) => <>所有账户的密码都是 {password}。请选择：</>,
  ],
});

/** By what the service says in the address of a sign-in elsewhere that did not succeed. */
export const elsewhereWords = words({
  cancelled: ['The sign-in was cancelled there.', '登录已在对方页面取消。'],
  failed: ['The sign-in did not succeed. Try again.', '登录未成功，请重试。'],
  invitation: [
    'The invitation cannot be accepted: it was used or has ended, it is for another address, or that address has an account, which signs in first.',
    '无法接受邀请：邀请已使用或已失效，或属于其他邮箱，或该邮箱已有账户，需先登录。',
  ],
  unavailable: [
    'The provider does not answer at the moment. Try again, or sign in with your password.',
    '登录服务商暂时没有响应。请重试，或使用密码登录。',
  ],
  unknown: [
    'Nobody here is known by that identity. Ask who runs this service to bind it to your account.',
    '没有与该身份对应的账户。请联系服务管理员将其绑定到您的账户。',
  ],
});

export const invitationWords = words({
  title: ['Invitation', '邀请'],
  join: [(workspace: string) => `Join ${workspace}`, (workspace) => `加入 ${workspace}`],
  deadTitle: ['This invitation does not work any more', '邀请已失效'],
  dead: [
    'It works once, for seven days, and not after it was revoked. Ask who invited you for another one.',
    '邀请七天内有效，只能使用一次，撤销后失效。请联系邀请人重新发送。',
  ],
  againTitle: ['Open your invitation again', '请重新打开邀请'],
  again: [
    'Its link was taken out of the address, so that nobody else finds it there. Open it once more from where you got it.',
    '为避免他人看到，链接已从地址栏中移除。请从收到邀请的地方重新打开。',
  ],
  goHome: ['Go to Portico', '前往 Portico'],
  offer: [
    (inviter: ReactNode, workspace: ReactNode, institution: ReactNode, role: string) => (
      <>
        {inviter === null ? 'You are invited' : <>{inviter} invites you</>} to {workspace} of {institution} as{' '}
        {role}.
      </>
    ),
    (inviter, workspace, institution, role) => (
      <>
        {inviter === null ? '您受邀' : <>{inviter} 邀请您</>}以{role}身份加入 {institution} 的 {workspace}。
      </>
    ),
  ],
  terms: [
    (email: ReactNode, ends: ReactNode) => (
      <>
        {' '}
        The invitation is for {email} and ends {ends}.
      </>
    ),
    (email, ends) => (
      <>
        邀请仅限 {email} 使用，失效时间：{ends}。
      </>
    ),
  ],
  signInFirst: ['You have an account. Sign in to accept.', '您已有账户，登录后即可接受邀请。'],
  acceptWith: [(provider: string) => `Accept with ${provider}`, (provider) => `使用 ${provider} 接受邀请`],
  accept: ['Accept the invitation', '接受邀请'],
  signedInAs: [
    (email: ReactNode) => <>You are signed in as {email}.</>,
    (email) => <>您当前以 {email} 登录。</>,
  ],
  notYours: ['This is not your invitation', '这不是您的邀请'],
  wrongAccount: [
    (own: string, invited: string) => `You are signed in as ${own}, and the invitation is for ${invited}.`,
    (own, invited) => `您当前以 ${own} 登录，而邀请属于 ${invited}。`,
  ],
  stillSignedIn: ['You are still signed in', '您仍处于登录状态'],
  signOut: ['Sign out and go on', '退出登录并继续'],
  yourName: ['Your name', '您的姓名'],
  create: ['Create your account', '创建账户'],
});

export const resetWords = words({
  title: ['Reset your password', '重置密码'],
  description: ['You get a link by mail that sets a new one.', '我们会把设置新密码的链接发送到您的邮箱。'],
  back: ['Back to the sign-in', '返回登录'],
  send: ['Send the link', '发送链接'],
  sentTitle: ['Look into your mail', '请查看邮箱'],
  sent: [
    (email: string) =>
      `If ${email} belongs to an account, a link that sets a new password is on its way. It works once, for an hour.`,
    (email) => `如果 ${email} 有对应的账户，设置新密码的链接正在发送。链接一小时内有效，只能使用一次。`,
  ],
  noMail: [
    'This service sends no mail. Ask who runs it for a link that sets a new password.',
    '该服务不发送邮件。请向服务管理员索取设置新密码的链接。',
  ],
  doneTitle: ['Your password is set', '密码已设置'],
  done: [
    'Every sign-in of your account has ended. Sign in with the new password.',
    '您账户的所有登录均已结束。请使用新密码登录。',
  ],
  deadTitle: ['This link does not work any more', '链接已失效'],
  dead: [
    'It works once, and for a while only; a newer link takes its place. Ask for another one.',
    '链接只能在有限时间内使用一次，新链接会取代旧链接。请重新获取。',
  ],
  another: ['Ask for another link', '重新获取链接'],
  setTitle: ['Set a new password', '设置新密码'],
  setDescription: ['It ends every sign-in of your account.', '设置后，您账户的所有登录都会结束。'],
  set: ['Set the password', '设置密码'],
});

export const deviceWords = words({
  title: ['Sign in a device', '登录设备'],
  asks: ['A program asks to be signed in', '有程序请求登录'],
  asksDescription: ['It shows a code, which you type here.', '请在此输入该程序显示的代码。'],
  code: ['Code', '代码'],
  codeDescription: ['As the device shows it', '与设备上显示的一致'],
  noSuchCode: ['There is no such code, or its ten minutes are over', '代码不存在，或已超过十分钟有效期'],
  lookUp: ['Look it up', '查找'],
  caution: [
    (email: ReactNode) => (
      <>
        It will be signed in as {email} and can do whatever you can. Go on only if you started this yourself,
        just now.
      </>
    ),
    (email) => <>该设备将以 {email} 登录，并拥有与您相同的权限。仅当是您本人刚刚发起时才继续。</>,
  ],
  device: ['Device', '设备'],
  address: ['Address', '地址'],
  asked: ['Asked', '请求时间'],
  confirm: ['Sign it in', '允许登录'],
  deny: ['That was not me', '不是我本人'],
  confirmed: ['The device is signed in', '设备已登录'],
  confirmedDescription: [
    'You can go on there. Its sign-in stands among those of your account, where you can end it.',
    '您可以回到设备上继续操作。该登录会列在您账户的登录记录中，可随时结束。',
  ],
  denied: ['The device was refused', '已拒绝该设备'],
  deniedDescription: [
    'If someone sent you the code, tell who runs this service.',
    '如果代码是他人发给您的，请告知服务管理员。',
  ],
});
