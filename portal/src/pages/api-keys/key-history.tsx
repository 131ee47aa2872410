import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { portal } from '../../session/portal.ts';
import { useInWorkspace } from '../../session/workspace.ts';
import { deedText } from '../../ui/audit-words.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { GivenName } from '../../ui/given-name.tsx';
import { Moment } from '../../ui/values.tsx';
import { apiKeysWords } from '../../words/api-keys.tsx';
import classes from './key-history.module.css';
import { keysQuery } from './list.ts';

/** What was just done is in the log within a second. */
const sealedMs = 2000;
const newest = { page: 0, size: 10, sort: 'sequence,desc' };

/** Who did what to a key and when, the newest first. */
export function KeyHistory({ workspaceId, apiKeyId }: { workspaceId: string; apiKeyId: string }) {
  const inWorkspace = useInWorkspace();
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: [...keysQuery(workspaceId), 'history', apiKeyId],
    queryFn: ({ signal }) => portal.listAuditLog(workspaceId, { subjectId: apiKeyId }, newest, { signal }),
    staleTime: 0,
    refetchInterval: sealedMs,
  });
  return (
    <section aria-label={apiKeysWords.history}>
      <div className={classes['head']}>
        <h3 className={classes['title']}>{apiKeysWords.history}</h3>
        <Link className={classes['all']} href={inWorkspace('/audit-log', { subjectId: apiKeyId })}>
          {apiKeysWords.allHistory}
        </Link>
      </div>
      {error === null ? null : (
        <ErrorNotice error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
      )}
      {data === undefined && error === null ? <Skeleton height={60} /> : null}
      {data?.content.length === 0 ? (
        <Text size="sm" c="dimmed">
          {apiKeysWords.noHistory}
        </Text>
      ) : null}
      <ul className={classes['list']}>
        {data?.content.map(({ auditId, action, actorName, occurredAt }) => (
          <li key={auditId}>
            <span>{apiKeysWords.deedBy(deedText(action), <GivenName>{actorName}</GivenName>)}</span>
            <span className={classes['when']}>
              <Moment at={occurredAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
