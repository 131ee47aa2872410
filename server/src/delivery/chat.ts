import type { Posted } from '../outbound/post.ts';

type Chat = {
  body(text: string): object;
  /** What says so though the status is that of a success. */
  isRefused?(answer: { [field: string]: unknown }): boolean;
};

const code =
  (...names: string[]) =>
  (answer: { [field: string]: unknown }) =>
    names.every((name) => answer[name] !== 0);

/** Incoming webhooks, as those who run them want them. */
export const chats: { [typeCode: string]: Chat } = {
  SLACK: { body: (text) => ({ text }) },
  LARK: {
    body: (text) => ({ msg_type: 'text', content: { text } }),
    isRefused: code('code', 'StatusCode'),
  },
  DINGTALK: {
    body: (text) => ({ msgtype: 'text', text: { content: text } }),
    isRefused: code('errcode'),
  },
  WECOM: {
    body: (text) => ({ msgtype: 'text', text: { content: text } }),
    isRefused: code('errcode'),
  },
  MS_TEAMS: {
    body: (text) => ({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [{ type: 'TextBlock', text, wrap: true }],
          },
        },
      ],
    }),
  },
};

function objectOf(text: string): { [field: string]: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Some answer 200 whatever happened, and tell in the body. */
export function isTaken({ isRefused }: Chat, { status, text }: Posted): boolean {
  return status >= 200 && status <= 299 && isRefused?.(objectOf(text)) !== true;
}
