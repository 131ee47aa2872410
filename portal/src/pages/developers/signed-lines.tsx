import { Text, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { formatExactBytes } from '../../ui/format.ts';
import classes from './signed-lines.module.css';
import type { Signed } from './use-signed.ts';

/** What stands in the other text instead of a line; undefined where both agree. */
export type Difference = string | undefined;
type Line = { name: string; source: string };

function namesOf({ request, bodyLength }: Signed): Line[] {
  const query =
    request.query === '' ? 'No query: the line stays, empty' : 'Query, encoded anew and sorted by name';
  const hash =
    request.body === '' ? 'SHA-256 of no bytes' : `SHA-256 of the ${formatExactBytes(bodyLength)} of Body`;
  return [
    { name: 'Scheme', source: 'Always the same' },
    { name: 'Method', source: 'Method, in upper case' },
    { name: 'Path', source: 'Path, exactly as it is sent' },
    { name: 'Canonical query', source: query },
    { name: 'Timestamp', source: 'X-Timestamp, epoch seconds' },
    { name: 'Nonce', source: 'X-Nonce' },
    { name: 'Key id', source: 'X-Api-Key' },
    { name: 'Hash of the body', source: hash },
  ];
}

/** The end of a line, which is signed too. */
function LineFeed() {
  return (
    <span className={classes['feed']} title="A line feed, one byte: 0A">
      LF
    </span>
  );
}

/** How the query was typed, when that is not how it is signed. */
function QueryBefore({ query, canonical }: { query: string; canonical: string }) {
  if (query === canonical) return null;
  return (
    <div className={classes['aside']}>
      <span className={classes['tag']}>Before</span>
      <span className={classes['old']}>{query}</span>
    </div>
  );
}

function Comparison({ difference }: { difference: Difference }) {
  if (difference === undefined)
    return (
      <span className={classes['mark']} data-tone="good">
        <IconCheck size={16} aria-hidden />
        <VisuallyHidden>matches</VisuallyHidden>
      </span>
    );
  return (
    <span className={classes['mark']} data-tone="bad">
      <IconX size={16} aria-hidden />
      <VisuallyHidden>differs</VisuallyHidden>
    </span>
  );
}

type Props = { signed: Signed; differences: readonly Difference[] | undefined };

/** The string to sign, line by line: what each is, where it comes from, and where another text differs. */
export function SignedLines({ signed, differences }: Props) {
  const { lines, request } = signed;
  return (
    <ol className={classes['lines']} aria-label="String to sign, line by line">
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
            {lines[at] === '' ? <span className={classes['none']}>empty</span> : null}
            {at < lines.length - 1 ? <LineFeed /> : null}
            {differences?.[at] === undefined ? null : (
              <div className={classes['aside']} data-tone="bad">
                <span className={classes['tag']}>Yours</span>
                <span className={classes['old']}>{differences[at] === '' ? 'empty' : differences[at]}</span>
              </div>
            )}
          </div>
          {differences === undefined ? null : <Comparison difference={differences[at]} />}
        </li>
      ))}
    </ol>
  );
}
