import type { ReactNode } from 'react';
import { words } from './words.ts';

export const signInWords = words({
  signIn: ['Sign in', '登录'],
  forgot: ['Forgot your password?', '忘记密码？'],
  signingInAs: [(email: ReactNode) => <>Signing in as {email}.</>, (email) => <>正在以 {email} 登录。</>],
  codeFrom: [
    'From your authenticator app, or one of your recovery codes',
    '来自身份验证器应用，或使用一个恢复码',
  ],
  someoneElse: ['Sign in as someone else', '使用其他账户登录'],
  signInWith: [(provider: string) => `Sign in with ${provider}`, (provider) => `使用 ${provider} 登录`],
  language: ['Language', '语言'],
  again: ['Sign in again', '重新登录'],
  ended: ['Your session has ended', '登录已失效'],
  goOn: ['Sign in again to go on where you were.', '请重新登录以继续之前的操作。'],
  kept: [
    'Sign in again to go on where you were. What you typed is still here.',
    '请重新登录以继续之前的操作。已输入的内容不会丢失。',
  ],
  outElsewhere: [
    'You are signed out. What is shown here only once stays until you have stored it.',
    '您已退出登录。此处仅显示一次的内容会保留，直到您确认已保存。',
  ],
});

export const turnstileWords = words({
  asking: ['Confirm that you are human', '请确认您不是机器人'],
  checking: ['Checking your browser…', '正在检查浏览器…'],
  solved: ['You are human', '验证通过'],
  failed: ['The check failed', '验证未通过'],
  testMode: ['Test mode', '测试模式'],
  notLoaded: [
    'The check of Cloudflare could not be loaded. Allow challenges.cloudflare.com and reload the page.',
    '无法加载 Cloudflare 验证。请允许访问 challenges.cloudflare.com 并刷新页面。',
  ],
  unsolved: [
    'The check that you are human did not succeed. Reload the page to try again.',
    '人机验证未通过。请刷新页面重试。',
  ],
});
