import { Button, Skeleton, Text, Title } from '@mantine/core';
import type { NotificationRecord, OwnWorkspace, UnreadNotifications } from '@portico/sdk/portal';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { portal } from '../session/portal.ts';
import { useInWorkspace } from '../session/workspace.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { aboutText, eventText, placeOf } from '../ui/event-words.ts';
import { formatRelative } from '../ui/format.ts';
import { GivenName } from '../ui/given-name.tsx';
import { ModeMark } from '../ui/mode-band.tsx';
import { formatExact } from '../ui/time.ts';
import { bellWords } from '../words/app.tsx';
import classes from './bell.module.css';

export const unreadQuery = (workspaceId: string) => ['notifications', workspaceId, 'unread'];

const fewest = 20;
const most = 100;

function Words({ notification }: { notification: NotificationRecord }) {
  const { eventType, data, mode, occurredAt, isRead } = notification;
  const about = aboutText(data);
  return (
    <>
      <span className={classes['dot']} data-unread={!isRead || undefined} />
      <span className={classes['words']}>
        <span className={classes['title']}>
          {isRead ? null : <span className={classes['heard']}>{bellWords.unread}</span>}
          {eventText(eventType)} {mode === 'TEST' ? <ModeMark mode={mode} /> : null}
        </span>
        {about === '' ? null : (
          <bdi className={classes['about']} title={about}>
            {about}
          </bdi>
        )}
        <time className={classes['when']} dateTime={occurredAt} title={formatExact(occurredAt)}>
          {formatRelative(occurredAt, Date.now())}
        </time>
      </span>
    </>
  );
}

function Entry({ notification, onLeave }: { notification: NotificationRecord; onLeave(): void }) {
  const inWorkspace = useInWorkspace();
  const place = placeOf(notification.eventType, notification.data);
  if (place === undefined)
    return (
      <span className={classes['entry']}>
        <Words notification={notification} />
      </span>
    );
  return (
    <Link
      href={inWorkspace(place.path, {
        ...(notification.mode === null ? {} : { mode: notification.mode }),
        ...place.parameters,
      })}
      className={classes['entry']}
      onClick={onLeave}
    >
      <Words notification={notification} />
    </Link>
  );
}

/** What is seen is read: the number goes, and what was new stays marked until this is closed. */
function useRead(workspaceId: string, newest: NotificationRecord | undefined): void {
  const client = useQueryClient();
  const eventId = newest === undefined || newest.isRead ? undefined : newest.eventId;
  useEffect(() => {
    if (eventId === undefined) return;
    const keep = (left: UnreadNotifications) => client.setQueryData(unreadQuery(workspaceId), left);
    // Not heard of, it stays unread.
    portal.markNotificationsRead(workspaceId, { eventId }).then(keep, () => {});
  }, [client, workspaceId, eventId]);
}

function Nothing({ onLeave }: { onLeave(): void }) {
  const inWorkspace = useInWorkspace();
  return (
    <Text size="sm" c="dimmed" p="md">
      {bellWords.nothing((text) => (
        <Link href={inWorkspace('/channels')} onClick={onLeave} className={classes['link']}>
          {text}
        </Link>
      ))}
    </Text>
  );
}

function Head({ name }: { name: string }) {
  return (
    <div className={classes['head']}>
      <Title order={2} size="h5">
        {bellWords.title}
      </Title>
      <Text size="xs" c="dimmed" truncate>
        <GivenName>{name}</GivenName>
      </Text>
    </div>
  );
}

type Props = { workspace: OwnWorkspace; onLeave(): void };

/** What members of the workspace are told, the newest first. */
export function Notifications({ workspace, onLeave }: Props) {
  const { bizId, name } = workspace;
  const [size, setSize] = useState(fewest);
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['notifications', bizId, 'list', size],
    queryFn: ({ signal }) => portal.listNotifications(bizId, { page: 0, size }, { signal }),
    // Each opening asks anew, and what was unread then stays marked.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  });
  useRead(bizId, data?.content[0]);
  return (
    <>
      <Head name={name} />
      {error === null ? null : (
        <ErrorNotice error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
      )}
      {data === undefined && error === null ? <Skeleton height={120} /> : null}
      {data?.content.length === 0 ? <Nothing onLeave={onLeave} /> : null}
      <ul className={classes['list']}>
        {data?.content.map((notification) => (
          <li key={notification.eventId}>
            <Entry notification={notification} onLeave={onLeave} />
          </li>
        ))}
      </ul>
      {data === undefined || data.totalElements <= size || size === most ? null : (
        <Button variant="subtle" fullWidth loading={isFetching} onClick={() => setSize(most)}>
          {bellWords.showOlder}
        </Button>
      )}
    </>
  );
}
