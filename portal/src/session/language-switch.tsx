import { mailLocales } from '@portico/sdk/portal';
import type { Locale } from '../words/locale.ts';
import { signInWords } from '../words/session.tsx';
import classes from './language-switch.module.css';
import { chooseLocale, useLocale } from './locale.ts';

/** Each in its own language, so that who cannot read the page finds it. */
export const languageNames: Record<Locale, string> = { en: 'English', 'zh-CN': '简体中文' };
const shortNames: Record<Locale, string> = { en: 'English', 'zh-CN': '中文' };

/** For who is not signed in: after that the account says it. */
export function LanguageSwitch() {
  const current = useLocale();
  return (
    <fieldset className={classes['switch']} aria-label={signInWords.language}>
      {mailLocales.map((each) => (
        <button
          key={each}
          type="button"
          lang={each}
          className={classes['choice']}
          aria-pressed={each === current}
          onClick={() => chooseLocale(each)}
        >
          {shortNames[each]}
        </button>
      ))}
    </fieldset>
  );
}
