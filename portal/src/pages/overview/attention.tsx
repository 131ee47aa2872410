import type { Attention as Entry } from '@portico/sdk/portal';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useMe } from '../../session/me.tsx';
import { useInWorkspace } from '../../session/workspace.ts';
import { GivenName } from '../../ui/given-name.tsx';
import { Section } from '../../ui/section.tsx';
import { Moment } from '../../ui/values.tsx';
import { overviewWords as words } from '../../words/overview.tsx';
import classes from './overview.module.css';

/** Some of these have stopped to work, or will within days. */
const urgent: readonly string[] = ['CHANNEL_FAILING', 'KEY_EXPIRES'];

/** What it is about, in the language of the reader; the service's own words for what this portal does not know. */
function textOf({ kind, name, at, message }: Entry, isSelf: boolean): ReactNode {
  const subject = (
    <span className={classes['subject']}>
      <GivenName>{name}</GivenName>
    </span>
  );
  const when = at === null ? undefined : <Moment at={at} />;
  switch (kind) {
    case 'KEY_EXPIRES':
      return words.keyExpires(subject, when);
    case 'KEY_UNUSED':
      return when === undefined ? words.keyNeverUsed(subject) : words.keyUnused(subject, when);
    case 'KEY_WITHOUT_SCOPE':
      return words.keyWithoutScope(subject);
    case 'ROTATION_OPEN':
      return words.rotationOpen(subject, when);
    case 'CHANNEL_FAILING':
      return when === undefined ? words.channelDown(subject) : words.channelFailing(subject, when);
    case 'OWNER_WITHOUT_SECOND_FACTOR':
      return isSelf ? words.youWithoutFactor : words.ownerWithoutFactor(subject);
    default:
      return message;
  }
}

/** Where it is mended. */
function placeOf({ kind, subjectId, mode }: Entry, isSelf: boolean) {
  const inMode: Record<string, string> = mode === null ? {} : { mode };
  if (kind === 'CHANNEL_FAILING')
    return { path: '/channels', more: { channel: subjectId, ...inMode }, label: words.seeChannel };
  if (kind !== 'OWNER_WITHOUT_SECOND_FACTOR')
    return { path: '/api-keys', more: { key: subjectId, ...inMode }, label: words.seeKey };
  return isSelf
    ? { path: '/account', more: {}, label: words.addFactor }
    : { path: '/members', more: {}, label: words.seeMembers };
}

function AttentionEntry({ entry }: { entry: Entry }) {
  const { account } = useMe();
  const inWorkspace = useInWorkspace();
  const isSelf = entry.subjectId === account.bizId;
  const { path, more, label } = placeOf(entry, isSelf);
  return (
    <li data-urgent={urgent.includes(entry.kind) || undefined}>
      <IconAlertTriangle size={18} aria-hidden />
      <span>{textOf(entry, isSelf)}</span>
      <Link className={classes['link']} href={inWorkspace(path, more)}>
        {label}
      </Link>
    </li>
  );
}

/** What wants someone to look at it, the most urgent first. */
export function Attention({ entries }: { entries: readonly Entry[] }) {
  const inWorkspace = useInWorkspace();
  const byExpiry = (
    <Link className={classes['link']} href={inWorkspace('/api-keys', { sort: 'expiresAt,asc' })}>
      {words.byExpiry}
    </Link>
  );
  return (
    <Section title={words.attention} description={words.attentionAbout} actions={byExpiry}>
      {entries.length === 0 ? <p className={classes['none']}>{words.allWell}</p> : null}
      <ul className={classes['attention']}>
        {entries.map((entry) => (
          <AttentionEntry key={`${entry.kind} ${entry.subjectId}`} entry={entry} />
        ))}
      </ul>
    </Section>
  );
}
