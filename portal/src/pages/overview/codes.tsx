import type { Overview } from '@portico/sdk/portal';
import { Link } from 'wouter';
import { useInWorkspace } from '../../session/workspace.ts';
import { meaningOf } from '../../ui/error-text.ts';
import { formatCount } from '../../ui/format.ts';
import { Section } from '../../ui/section.tsx';
import { overviewWords as words } from '../../words/overview.tsx';
import classes from './overview.module.css';
import type { Since } from './since.ts';

const shown = 8;

/** Why calls were refused or failed, the most frequent reason first. */
export function Codes({ overview: { codes }, since }: { overview: Overview; since: Since }) {
  const inWorkspace = useInWorkspace();
  const most = Math.max(1, ...codes.map(({ count }) => count));
  return (
    <Section title={words.codes} description={words.codesAbout}>
      {codes.length === 0 ? <p className={classes['none']}>{words.noCodes}</p> : null}
      <ul className={classes['codes']}>
        {codes.slice(0, shown).map(({ code, count }) => (
          <li key={code}>
            <Link
              className={`${classes['link']} ${classes['code']}`}
              href={inWorkspace('/requests', { code, ...since })}
              aria-label={words.seeCode(code)}
            >
              {code}
            </Link>
            <span className={classes['count']}>{words.callsOf(count, formatCount(count))}</span>
            <svg className={classes['meter']} aria-hidden preserveAspectRatio="none" viewBox="0 0 100 6">
              <rect width={100} height={6} rx={1} />
              <rect width={(count / most) * 100} height={6} rx={1} />
            </svg>
            <span className={classes['meaning']}>{meaningOf(code) ?? words.unknownCode}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
