import type { TargetRule } from '../../channels/config.ts';
import type { Config } from '../../config.ts';
import { refuseTarget } from '../../outbound/reach.ts';

/** Where channels may send, and by what this service can. */
export function createTargetRule({ outboundAllow, smtp, smsUrl }: Config): TargetRule {
  const unset = (what: string, name: string) => `cannot be reached: this service sends no ${what} (${name})`;
  return (typeCode, target) => {
    switch (typeCode) {
      case 'IN_APP':
        return undefined;
      case 'EMAIL':
        return smtp === undefined ? unset('mail', 'PORTICO_SMTP_URL') : undefined;
      case 'SMS':
        return smsUrl === undefined ? unset('SMS', 'PORTICO_SMS_URL') : undefined;
      default:
        return refuseTarget(target, outboundAllow);
    }
  };
}
