import { plainTime } from '../plain.ts';
import type { Wording } from './wording.ts';

const time = (iso: string) => plainTime('zh-CN', iso);
const from = (ipAddress: string | null) => (ipAddress === null ? '' : `，操作来自地址 ${ipAddress}`);
const once = (expiresAt: string) => `此链接只能使用一次，有效期至 ${time(expiresAt)}。`;
const notYou = '如果不是您本人操作，请立即重置密码，并告知门户的管理员。';
const roles = { OWNER: '所有者', MEMBER: '成员', VIEWER: '查看者' };
const reasons = {
  GONE: '接收方答复其已永久停用（410）。',
  FAILED: '五天内未能向接收方投递任何内容。',
};

export const simplifiedChinese: Wording = {
  messages: {
    invitation: ({ inviterName, workspaceName, institutionName, role, url, expiresAt }) => ({
      subject: `${inviterName} 邀请您加入 ${workspaceName}`,
      heading: `加入 ${workspaceName}`,
      paragraphs: [
        `${inviterName} 邀请您以${roles[role]}身份加入 ${institutionName} 的工作区 ${workspaceName}。`,
      ],
      button: { label: '接受邀请', url },
      notes: [once(expiresAt), '如果您不认识邀请人，请忽略此邮件，不会有任何变化。'],
    }),
    'password-reset': ({ url, expiresAt }) => ({
      subject: '重置您的 Portico 密码',
      heading: '重置您的密码',
      paragraphs: ['有人（很可能是您本人）请求重置您账户的密码。'],
      button: { label: '设置新密码', url },
      notes: [once(expiresAt), '如果不是您本人操作，请忽略此邮件，您的密码不会改变。'],
    }),
    'password-changed': ({ at, ipAddress }) => ({
      subject: '您的 Portico 密码已更改',
      heading: '您的密码已更改',
      paragraphs: [`您账户的密码已于 ${time(at)} 更改${from(ipAddress)}。`],
      notes: [notYou],
    }),
    'second-factor-changed': ({ isOn, at, ipAddress }) => {
      const now = isOn ? '开启' : '关闭';
      return {
        subject: `您的 Portico 两步验证已${now}`,
        heading: `您的两步验证已${now}`,
        paragraphs: [`您账户的两步验证已于 ${time(at)} ${now}${from(ipAddress)}。`],
        notes: [notYou],
      };
    },
    event: ({ eventType, eventId, subjectId, workspaceId, mode, at, url }) => ({
      subject: `事件 ${eventType}${subjectId === null ? '' : ` ${subjectId}`}`,
      heading: eventType,
      paragraphs: [
        `时间：${time(at)}；工作区：${workspaceId}${mode === null ? '' : `（${mode}）`}${subjectId === null ? '' : `；对象：${subjectId}`}。`,
      ],
      button: { label: '打开门户', url },
      notes: [`事件编号 ${eventId}。工作区的所有者设置了发往此地址的通知渠道。`],
    }),
    'channel-disabled': ({ channelName, workspaceName, reason, at, url }) => ({
      subject: `通知渠道 ${channelName} 已停用`,
      heading: `${channelName} 已停用`,
      paragraphs: [
        reasons[reason],
        `因此，工作区 ${workspaceName} 的通知渠道 ${channelName} 已于 ${time(at)} 停用，尚未投递的内容已取消。`,
      ],
      button: { label: '打开门户', url },
      notes: ['接收方恢复后，请启用该渠道，并重新投递失败的内容。'],
    }),
  },
  linkHint: '如果按钮无法使用，请打开此链接：',
  footer: (origin) => `此邮件由 Portico 发送：${origin}`,
};
