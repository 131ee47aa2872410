import { withCredentials } from './address-values.ts';
import { networks, optional, url, variable } from './values.ts';

/** Where channels send. */
export const outboundVariables = {
  PORTICO_OUTBOUND_ALLOW: variable(
    optional(networks),
    '',
    'Comma-separated addresses or CIDR blocks that channels may send to though they are not public, and by plain http. Demo: `127.0.0.0/8,::1/128`, which a value replaces.',
  ),
  PORTICO_SMS_URL: variable(
    optional((value) => withCredentials(url('https:', 'http:')(value))),
    '',
    'HTTP gateway of channels of type SMS, which is sent `{"to","text"}`; user and password in it are sent as Basic. Unset: there are no such channels.',
  ),
} as const;
