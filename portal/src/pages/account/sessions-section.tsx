import { Badge, Button, Text } from '@mantine/core';
import { NotFoundError, type SessionRecord } from '@portico/sdk/portal';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { portal } from '../../session/portal.ts';
import { useAttempt } from '../../ui/attempt.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { rescueFocus } from '../../ui/focus.ts';
import { Section } from '../../ui/section.tsx';
import { Moment } from '../../ui/values.tsx';
import { sessionsWords } from '../../words/account.tsx';
import classes from './account.module.css';
import { deviceText } from './device-text.ts';
import { sessionsKey } from './query.ts';

/** Between facts. */
const dot = '·';

/** An account has no more open sign-ins than one page holds. */
const sessionsMax = 100;

type RowProps = { shown: SessionRecord; isBusy: boolean; onEnd(): void };

function Row({ shown: { userAgent, ipAddress, createdAt, lastSeenAt, isCurrent }, isBusy, onEnd }: RowProps) {
  const device = deviceText(userAgent);
  return (
    <li className={classes['session']}>
      <div>
        <p className={classes['device']} title={userAgent ?? undefined}>
          {device}
          {isCurrent ? (
            <Badge component="span" variant="light" radius="sm" ml={8}>
              {sessionsWords.thisBrowser}
            </Badge>
          ) : null}
        </p>
        <p className={classes['facts']}>
          {ipAddress ?? sessionsWords.unknownAddress} {dot} {sessionsWords.seen(<Moment at={lastSeenAt} />)}{' '}
          {dot} {sessionsWords.signedIn(<Moment at={createdAt} />)}
        </p>
      </div>
      {isCurrent ? null : (
        <Button
          variant="default"
          size="xs"
          flex="none"
          disabled={isBusy}
          onClick={onEnd}
          aria-label={sessionsWords.endOf(device)}
        >
          {sessionsWords.end}
        </Button>
      )}
    </li>
  );
}

/** One after another. One that has ended meanwhile is what was asked for. */
async function endAll(ended: readonly SessionRecord[]): Promise<number> {
  for (const { sessionId } of ended)
    await portal.endSession(sessionId).catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error;
    });
  return ended.length;
}

function useSessions() {
  const client = useQueryClient();
  const attempt = useAttempt();
  const [said, setSaid] = useState('');
  const { data, error } = useQuery({
    queryKey: sessionsKey,
    queryFn: ({ signal }) => portal.listSessions({ size: sessionsMax }, { signal }),
  });
  const end = (which: readonly SessionRecord[]) => {
    const work = () =>
      endAll(which).finally(() => client.invalidateQueries({ queryKey: sessionsKey }).then(rescueFocus));
    setSaid('');
    attempt.run(work, (count) => setSaid(count === 1 ? sessionsWords.ended : sessionsWords.allEnded));
  };
  const sessions = data?.content;
  const others = sessions?.filter(({ isCurrent }) => !isCurrent) ?? [];
  return { sessions, others, end, said, isPending: attempt.isPending, error: attempt.error ?? error };
}

/** Where one is signed in, and the way to end it. */
export function SessionsSection() {
  const { sessions, others, end, said, isPending, error } = useSessions();
  return (
    <Section
      title={sessionsWords.title}
      description={sessionsWords.description}
      actions={
        others.length === 0 ? null : (
          <Button variant="default" loading={isPending} onClick={() => end(others)}>
            {sessionsWords.endOthers}
          </Button>
        )
      }
    >
      {error === null ? null : (
        <div className={classes['notice']}>
          <ErrorNotice error={error} />
        </div>
      )}
      <ul className={classes['sessions']} aria-label={sessionsWords.title} aria-busy={sessions === undefined}>
        {sessions?.map((shown) => (
          <Row key={shown.sessionId} shown={shown} isBusy={isPending} onEnd={() => end([shown])} />
        ))}
      </ul>
      <Text size="sm" role="status" className={classes['said'] ?? ''}>
        {said}
      </Text>
    </Section>
  );
}
