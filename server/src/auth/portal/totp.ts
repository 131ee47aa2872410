import { Secret, TOTP } from 'otpauth';

/** How long a code is shown, and how many steps a clock may be behind or ahead. */
const period = 30;
const stepsAside = 1;

/** What authenticator apps take without being told otherwise (RFC 6238). */
const shape = { algorithm: 'SHA1', digits: 6, period };

const asCode = (secret: string) => new TOTP({ ...shape, secret: Secret.fromBase32(secret) });

/** 160 random bits, as RFC 4226 recommends, in base32. */
export const newTotpSecret = () => new Secret({ size: 20 }).base32;

/** What a QR code of it says. */
export function otpauthUri(secret: string, issuer: string, account: string): string {
  return new TOTP({ ...shape, secret: Secret.fromBase32(secret), issuer, label: account }).toString();
}

export const isTotpCode = (text: string) => /^[0-9]{6}$/.test(text);

/** The time step that a code belongs to; undefined when it belongs to none that is near. */
export function stepOfCode(secret: string, code: string, nowMs: number): number | undefined {
  if (!isTotpCode(code)) return undefined;
  const aside = asCode(secret).validate({ token: code, timestamp: nowMs, window: stepsAside });
  return aside === null ? undefined : TOTP.counter({ period, timestamp: nowMs }) + aside;
}
