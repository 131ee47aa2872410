import { visibleText } from '../../ui/visible-text.ts';
import { sessionsWords } from '../../words/account.tsx';

const browsers: readonly [string, RegExp][] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\b(OPR|Opera)\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
];
const systems: readonly [string, RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

const find = (names: readonly [string, RegExp][], text: string) =>
  names.find(([, pattern]) => pattern.test(text))?.[0];

/** What a person calls a device: "Firefox on Linux". What is not known is shown as it calls itself. */
export function deviceText(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return sessionsWords.unknownDevice;
  const browser = find(browsers, userAgent);
  const system = find(systems, userAgent);
  if (browser === undefined) return visibleText(userAgent);
  return system === undefined ? browser : sessionsWords.on(browser, system);
}
