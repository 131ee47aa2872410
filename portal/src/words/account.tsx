import type { ReactNode } from 'react';
import { words } from './words.ts';

export const accountWords = words({
  title: ['Your account', '我的账户'],
  profile: ['Profile', '个人资料'],
  profileDescription: [
    'How others in your workspaces see you, and how you are written to.',
    '工作区中其他人看到的您，以及与您联系的方式。',
  ],
  name: ['Name', '姓名'],
  language: ['Language', '语言'],
  languageDescription: ['Of the portal and of mails to you', '门户界面和发给您的邮件使用的语言'],
  saved: ['Saved', '已保存'],
});

export const ownPasswordWords = words({
  title: ['Password', '密码'],
  description: ['A new one ends every sign-in but this one.', '修改密码后，除当前登录外的所有登录都会结束。'],
  current: ['Current password', '当前密码'],
  wrong: ['That is not your current password.', '当前密码不正确。'],
  change: ['Change the password', '修改密码'],
  changed: ['Your password is changed. Every other sign-in has ended.', '密码已修改，其他登录均已结束。'],
});

export const secondFactorWords = words({
  title: ['Second factor', '两步验证'],
  description: [
    'A code of an app on your phone, asked for after the password. Who has your password alone does not get in.',
    '输入密码后还需手机应用生成的验证码。仅凭密码无法登录。',
  ],
  add: ['Add a second factor', '开启两步验证'],
  remove: ['Remove', '关闭'],
  whenOn: ['For new recovery codes, remove it and add it again.', '如需新的恢复码，请先关闭再重新开启。'],
  whenOff: [
    'Owners create keys and invite people: give such an account a second factor.',
    '所有者可以创建密钥和邀请成员：请为此类账户开启两步验证。',
  ],
  scan: [
    (open: ReactNode) => (
      <>
        Scan this with an authenticator app, then type the code that the app shows. Is the app on this device?{' '}
        {open}.
      </>
    ),
    (open) => <>请使用身份验证器应用扫描，然后输入应用显示的验证码。应用就在本设备上？{open}。</>,
  ],
  openThere: ['Open it there', '在应用中打开'],
  qrCode: ['The secret as a QR code', '密钥二维码'],
  byHand: ['Secret, to type by hand', '密钥（可手动输入）'],
  sixDigits: ['Six digits, new every 30 seconds', '六位数字，每 30 秒更新'],
  turnOn: ['Turn it on', '开启'],
  isOn: ['The second factor is on', '两步验证已开启'],
  removeTitle: ['Remove the second factor', '关闭两步验证'],
  removeDescription: [
    'The password alone signs you in from then on. Its recovery codes end too.',
    '关闭后仅凭密码即可登录，恢复码也会失效。',
  ],
  wrongCode: ['The code is wrong or was used before.', '验证码错误或已使用过。'],
});

export const recoveryWords = words({
  codes: ['Recovery codes', '恢复码'],
  title: ['These recovery codes are shown only now', '恢复码仅显示这一次'],
  description: [
    'Each signs you in once when the app is not at hand. Keep them apart from the phone.',
    '手边没有应用时，每个恢复码可登录一次。请与手机分开保管。',
  ],
  stored: ['I have stored the recovery codes', '我已妥善保存恢复码'],
  lostTitle: ['The recovery codes were lost on their way', '恢复码在传输中丢失'],
  lost: [
    'The second factor is on, but the answer with the recovery codes did not arrive, and they are shown only once. Remove the second factor and add it again to get new ones.',
    '两步验证已开启，但包含恢复码的响应未送达，而恢复码只显示一次。请关闭后重新开启以获取新的恢复码。',
  ],
});

export const sessionsWords = words({
  title: ['Sign-ins', '登录记录'],
  description: [
    'Every browser and program that is signed in as you. What you end is over with its next request.',
    '以您的账户登录的所有浏览器和程序。结束后，其下一次请求即失效。',
  ],
  endOthers: ['End all others', '结束其他登录'],
  thisBrowser: ['This browser', '当前浏览器'],
  unknownAddress: ['Unknown address', '未知地址'],
  seen: [(at: ReactNode) => <>seen {at}</>, (at) => <>最近活动 {at}</>],
  signedIn: [(at: ReactNode) => <>signed in {at}</>, (at) => <>登录于 {at}</>],
  end: ['End', '结束'],
  endOf: [(device: string) => `End the sign-in of ${device}`, (device) => `结束 ${device} 的登录`],
  ended: ['The sign-in has ended', '登录已结束'],
  allEnded: ['All others have ended', '其他登录均已结束'],
  unknownDevice: ['Unknown device', '未知设备'],
  on: [
    (browser: string, system: string) => `${browser} on ${system}`,
    (browser, system) => `${system} 上的 ${browser}`,
  ],
});
