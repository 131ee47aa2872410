import {
  type Icon,
  IconAppWindow,
  IconBellRinging,
  IconBrandSlack,
  IconBrandTeams,
  IconBrandTelegram,
  IconBrandWechat,
  IconBrandWhatsapp,
  IconDeviceMobile,
  IconMail,
  IconMessage,
  IconMessageCircle,
  IconMessages,
  IconPhone,
  IconWebhook,
} from '@tabler/icons-react';
import classes from './type-icon.module.css';

const icons = new Map<string, Icon>([
  ['EMAIL', IconMail],
  ['SMS', IconMessage],
  ['IN_APP', IconAppWindow],
  ['WEBHOOK', IconWebhook],
  ['PUSH', IconDeviceMobile],
  ['SLACK', IconBrandSlack],
  ['MS_TEAMS', IconBrandTeams],
  ['WHATSAPP', IconBrandWhatsapp],
  ['TELEGRAM', IconBrandTelegram],
  ['WECOM', IconBrandWechat],
  ['LARK', IconMessages],
  ['DINGTALK', IconMessageCircle],
  ['VOICE', IconPhone],
]);

/** Drawn here: the policy lets no image in from the address that a type may name. */
export function TypeIcon({ code }: { code: string }) {
  const Drawing = icons.get(code) ?? IconBellRinging;
  return (
    <span className={classes['icon']} aria-hidden>
      <Drawing size={18} stroke={1.7} />
    </span>
  );
}
