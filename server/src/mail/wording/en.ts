import { plainTime } from '../plain.ts';
import type { Wording } from './wording.ts';

const time = (iso: string) => plainTime('en-GB', iso);
const from = (ipAddress: string | null) => (ipAddress === null ? '' : `, from the address ${ipAddress}`);
const once = (expiresAt: string) => `The link works once, until ${time(expiresAt)}.`;
const notYou = 'If it was not you, reset your password at once and tell whoever runs your portal.';
const roles = { OWNER: 'an owner', MEMBER: 'a member', VIEWER: 'a viewer' };
const reasons = {
  GONE: 'The receiver answered that it is gone for good (410).',
  FAILED: 'Nothing could be delivered to the receiver for five days.',
};

export const english: Wording = {
  messages: {
    invitation: ({ inviterName, workspaceName, institutionName, role, url, expiresAt }) => ({
      subject: `${inviterName} invites you to ${workspaceName}`,
      heading: `Join ${workspaceName}`,
      paragraphs: [
        `${inviterName} invites you to join the workspace ${workspaceName} of ${institutionName} as ${roles[role]}.`,
      ],
      button: { label: 'Accept the invitation', url },
      notes: [once(expiresAt), 'If you do not know who invites you, ignore this mail: nothing happens then.'],
    }),
    'password-reset': ({ url, expiresAt }) => ({
      subject: 'Reset your Portico password',
      heading: 'Reset your password',
      paragraphs: ['Someone, most likely you, asked to reset the password of your account.'],
      button: { label: 'Choose a new password', url },
      notes: [once(expiresAt), 'If it was not you, ignore this mail: your password stays as it is.'],
    }),
    'password-changed': ({ at, ipAddress }) => ({
      subject: 'Your Portico password was changed',
      heading: 'Your password was changed',
      paragraphs: [`On ${time(at)} the password of your account was changed${from(ipAddress)}.`],
      notes: [notYou],
    }),
    'second-factor-changed': ({ isOn, at, ipAddress }) => {
      const now = isOn ? 'turned on' : 'turned off';
      return {
        subject: `Your Portico second factor was ${now}`,
        heading: `Your second factor was ${now}`,
        paragraphs: [`On ${time(at)} the second factor of your account was ${now}${from(ipAddress)}.`],
        notes: [notYou],
      };
    },
    event: ({ eventType, eventId, subjectId, workspaceId, mode, at, url }) => ({
      subject: `${eventType}${subjectId === null ? '' : ` ${subjectId}`}`,
      heading: eventType,
      paragraphs: [
        `On ${time(at)} in the workspace ${workspaceId}${mode === null ? '' : `, ${mode}`}${subjectId === null ? '' : `: ${subjectId}`}.`,
      ],
      button: { label: 'Open the portal', url },
      notes: [`Event ${eventId}. An owner of the workspace set up a notification channel to this address.`],
    }),
    'channel-disabled': ({ channelName, workspaceName, reason, at, url }) => ({
      subject: `The notification channel ${channelName} was disabled`,
      heading: `${channelName} was disabled`,
      paragraphs: [
        reasons[reason],
        `So on ${time(at)} the notification channel ${channelName} of the workspace ${workspaceName} was disabled, and what waited for it was cancelled.`,
      ],
      button: { label: 'Open the portal', url },
      notes: ['Once its receiver works again, enable the channel and have what failed delivered anew.'],
    }),
  },
  linkHint: 'If the button does not work, open this link:',
  footer: (origin) => `Sent by Portico at ${origin}`,
};
