/** Languages that mails are written in. */
export const locales = ['en', 'zh-CN'] as const;
export type Locale = (typeof locales)[number];

/** What each kind of mail tells. Times are ISO 8601. */
export type MailKinds = {
  invitation: {
    inviterName: string;
    workspaceName: string;
    institutionName: string;
    role: 'OWNER' | 'MEMBER' | 'VIEWER';
    url: string;
    expiresAt: string;
  };
  'password-reset': { url: string; expiresAt: string };
  'password-changed': { at: string; ipAddress: string | null };
  'second-factor-changed': { isOn: boolean; at: string; ipAddress: string | null };
  /** Of a channel of type EMAIL: names and ids alone, nothing that someone wrote. */
  event: {
    eventType: string;
    eventId: string;
    subjectId: string | null;
    workspaceId: string;
    mode: 'LIVE' | 'TEST' | null;
    at: string;
    url: string;
  };
  'channel-disabled': {
    channelName: string;
    workspaceName: string;
    reason: 'GONE' | 'FAILED';
    at: string;
    url: string;
  };
};

export type MailKind = keyof MailKinds;

/** What is written to whom. Sealed as long as it waits. */
export type Content = {
  [Kind in MailKind]: { to: string; locale: Locale; kind: Kind; values: MailKinds[Kind] };
}[MailKind];

/** A mail that is asked for; it is not sent once it has expired. */
export type Letter = Content & { expiresAtMs: number };
