import { Text, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { formatExactBytes } from '../../ui/format.ts';
import { debuggerWords, lineWords as words } from '../../words/developers.ts';
import classes from './signed-lines.module.css';
import type { Signed } from './use-signed.ts';

/** What stands in the other text instead of a line; undefined where both agree. */
export type Difference = string | undefined;
type Line = { name: string; source: string };

function namesOf({ request, bodyLength }: Signed): Line[] {
  const query = request.query === '' ? words.queryNone : words.queryFrom;
  const hash = request.body === '' ? words.hashNone : words.hashFrom(formatExactBytes(bodyLength));
  return [
    { name: words.scheme, source: words.schemeFrom },
    { name: words.method, source: words.methodFrom },
    { name: words.path, source: words.pathFrom },
    { name: words.query, source: query },
    { name: words.timestamp, source: words.timestampFrom },
    { name: words.nonce, source: 'X-Nonce' },
    { name: words.keyId, source: 'X-Api-Key' },
    { name: words.hash, source: hash },
  ];
}

/** The end of a line, which is signed too. */
function LineFeed() {
  return (
    <span className={classes['feed']} title={words.lineFeed}>
      {'LF'}
    </span>
  );
}

/** How the query was typed, when that is not how it is signed. */
function QueryBefore({ query, canonical }: { query: string; canonical: string }) {
  if (query === canonical) return null;
  return (
    <div className={classes['aside']}>
      <span className={classes['tag']}>{words.before}</span>
      <span className={classes['old']}>{query}</span>
    </div>
  );
}

function Comparison({ difference }: { difference: Difference }) {
  if (difference === undefined)
    return (
      <span className={classes['mark']} data-tone="good">
        <IconCheck size={16} aria-hidden />
        <VisuallyHidden>{words.matches}</VisuallyHidden>
      </span>
    );
  return (
    <span className={classes['mark']} data-tone="bad">
      <IconX size={16} aria-hidden />
      <VisuallyHidden>{words.differs}</VisuallyHidden>
    </span>
  );
}

type Props = { signed: Signed; differences: readonly Difference[] | undefined };

/** The string to sign, line by line: what each is, where it comes from, and where another text differs. */
export function SignedLines({ signed, differences }: Props) {
  const { lines, request } = signed;
  return (
    <ol className={classes['lines']} aria-label={debuggerWords.toSignLines}>
      {namesOf(signed).map(({ name, source }, at) => (
        <li key={name} className={classes['line']}>
          <span className={classes['number']}>{at + 1}</span>
          <div className={classes['what']}>
            <Text size="sm" fw={600}>
              {name}
            </Text>
            <Text size="xs" c="dimmed">
              {source}
            </Text>
          </div>
          <div className={classes['value']}>
            {at === 3 ? <QueryBefore query={request.query} canonical={lines[at] ?? ''} /> : null}
            <code className={classes['text']}>{lines[at]}</code>
            {lines[at] === '' ? <span className={classes['none']}>{words.empty}</span> : null}
            {at < lines.length - 1 ? <LineFeed /> : null}
            {differences?.[at] === undefined ? null : (
              <div className={classes['aside']} data-tone="bad">
                <span className={classes['tag']}>{words.yours}</span>
                <span className={classes['old']}>
                  {differences[at] === '' ? words.empty : differences[at]}
                </span>
              </div>
            )}
          </div>
          {differences === undefined ? null : <Comparison difference={differences[at]} />}
        </li>
      ))}
    </ol>
  );
}
