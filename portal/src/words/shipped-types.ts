import { words } from './words.ts';

/** By its English words: what is the same in Chinese is left out. */
const shipped: { readonly [english: string]: string } = words<{ [english: string]: string }>({
  Email: ['Email', '邮件'],
  SMS: ['SMS', '短信'],
  'In-app': ['In-app', '站内通知'],
  Push: ['Push', '推送'],
  WeCom: ['WeCom', '企业微信'],
  Lark: ['Lark', '飞书'],
  DingTalk: ['DingTalk', '钉钉'],
  Voice: ['Voice', '语音'],
  'Messages to an e-mail address': ['Messages to an e-mail address', '发送到邮箱'],
  'Text messages to a mobile phone': ['Text messages to a mobile phone', '发送短信到手机'],
  'Messages shown inside the portal': ['Messages shown inside the portal', '在控制台内显示'],
  'Signed HTTP requests to a server of the partner': [
    'Signed HTTP requests to a server of the partner',
    '向合作方服务器发送带签名的 HTTP 请求',
  ],
  'Notifications on a mobile device': ['Notifications on a mobile device', '移动设备上的推送通知'],
  'Messages to a Slack channel': ['Messages to a Slack channel', '发送到 Slack 频道'],
  'Messages to a Teams channel': ['Messages to a Teams channel', '发送到 Teams 频道'],
  'Messages to a WhatsApp number': ['Messages to a WhatsApp number', '发送到 WhatsApp 号码'],
  'Messages to a Telegram chat': ['Messages to a Telegram chat', '发送到 Telegram 会话'],
  'Messages to a WeCom group (企业微信)': ['Messages to a WeCom group (企业微信)', '发送到企业微信群'],
  'Messages to a Lark group (飞书)': ['Messages to a Lark group (飞书)', '发送到飞书群'],
  'Messages to a DingTalk group (钉钉)': ['Messages to a DingTalk group (钉钉)', '发送到钉钉群'],
  'Calls that read a message aloud': ['Calls that read a message aloud', '通过电话朗读消息'],
  'E-mail address': ['E-mail address', '邮箱地址'],
  Language: ['Language', '语言'],
  'Of the e-mails; that of who sets the channel up, unless given': [
    'Of the e-mails; that of who sets the channel up, unless given',
    '邮件的语言；留空则使用创建者的语言',
  ],
  'Mobile number': ['Mobile number', '手机号'],
  'With its country code: +49…': ['With its country code: +49…', '需包含国家代码，例如 +86…'],
  'Members of the workspace': ['Members of the workspace', '工作区成员'],
  'Endpoint URL': ['Endpoint URL', '接收地址 (URL)'],
  'Signing secret': ['Signing secret', '签名密钥'],
  'whsec_ and 24 to 64 bytes in base64; made here when it is left out': [
    'whsec_ and 24 to 64 bytes in base64; made here when it is left out',
    'whsec_ 加 24 到 64 字节的 base64；留空则自动生成',
  ],
  'Timeout in seconds': ['Timeout in seconds', '超时秒数'],
  'Incoming webhook': ['Incoming webhook', '传入 Webhook 地址'],
  'Group robot': ['Group robot', '群机器人地址'],
  'Custom bot': ['Custom bot', '自定义机器人地址'],
  'Custom robot': ['Custom robot', '自定义机器人地址'],
  Kind: ['Kind', '种类'],
  Label: ['Label', '标签'],
  Example: ['Example', '示例'],
  Attachments: ['Attachments', '附件'],
  'Delivery receipts': ['Delivery receipts', '送达回执'],
});

/** A text of the catalogue of channel types in the language of the reader. What an operator wrote instead stays as written. */
export const shippedText = (text: string): string =>
  Object.hasOwn(shipped, text) ? (shipped[text] ?? text) : text;
