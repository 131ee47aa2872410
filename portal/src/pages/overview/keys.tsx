import type { Overview } from '@portico/sdk/portal';
import { Link } from 'wouter';
import { useInWorkspace } from '../../session/workspace.ts';
import { formatCount } from '../../ui/format.ts';
import { GivenName } from '../../ui/given-name.tsx';
import { Section } from '../../ui/section.tsx';
import { Moment } from '../../ui/values.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { overviewWords as words } from '../../words/overview.tsx';
import classes from './overview.module.css';
import type { Since } from './since.ts';

type KeyCalls = Overview['keys'][number];
type CountProps = { count: number; label: string; href: string };

/** How many, and the way to them where there are any. */
function Count({ count, label, href }: CountProps) {
  if (count === 0) return <>{formatCount(count)}</>;
  return (
    <Link className={`${classes['link']} ${classes['strong']}`} href={href} aria-label={`${count}: ${label}`}>
      {formatCount(count)}
    </Link>
  );
}

function KeyRow({ apiKey, since }: { apiKey: KeyCalls; since: Since }) {
  const inWorkspace = useInWorkspace();
  const { apiKeyId, name, mode, calls, refused, failed, lastUsedAt } = apiKey;
  const told = visibleText(name);
  const passed = lastUsedAt === null ? words.never : <Moment at={lastUsedAt} />;
  const requests = (more: Record<string, string>) =>
    inWorkspace('/requests', { apiKeyId, ...since, ...more });
  return (
    <tr>
      <th scope="row">
        <Link
          className={`${classes['link']} ${classes['strong']} ${classes['name']}`}
          href={inWorkspace('/api-keys', { key: apiKeyId, mode })}
        >
          <GivenName>{name}</GivenName>
        </Link>
        <span className={classes['below']}>
          {words.lastPassed} {passed}
        </span>
      </th>
      <td className={classes['number']}>
        <Count count={calls} label={words.seeCalls(told)} href={requests({})} />
      </td>
      <td className={classes['number']}>
        <Count count={refused} label={words.seeRefused(told)} href={requests({ statusClass: '4xx' })} />
      </td>
      <td className={classes['number']}>
        <Count count={failed} label={words.seeFailed(told)} href={requests({ statusClass: '5xx' })} />
      </td>
      <td className={`${classes['number']} ${classes['beside']}`}>{passed}</td>
    </tr>
  );
}

/** Which keys called, and what became of it. */
export function Keys({ overview: { keys }, since }: { overview: Overview; since: Since }) {
  const heads = [words.calls, words.refused, words.failed];
  return (
    <Section title={words.keys} description={words.keysAbout}>
      {keys.length === 0 ? (
        <p className={classes['none']}>{words.noKeys}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of a keyboard
        <section className={classes['wide']} aria-label={words.keys} tabIndex={0}>
          <table className={classes['table']}>
            <thead>
              <tr>
                <th scope="col">{words.key}</th>
                {heads.map((head) => (
                  <th key={head} scope="col" className={classes['number']}>
                    {head}
                  </th>
                ))}
                <th scope="col" className={`${classes['number']} ${classes['beside']}`}>
                  {words.lastPassed}
                </th>
              </tr>
            </thead>
            <tbody>
              {keys.map((apiKey) => (
                <KeyRow key={apiKey.apiKeyId} apiKey={apiKey} since={since} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Section>
  );
}
