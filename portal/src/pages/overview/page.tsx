import { Skeleton, Stack } from '@mantine/core';
import type { Overview, OwnWorkspace } from '@portico/sdk/portal';
import { IconLayoutDashboard } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { InWorkspace } from '../../session/in-workspace.tsx';
import { useMode } from '../../session/mode.ts';
import { portal } from '../../session/portal.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { awayMs, isServerAway } from '../../ui/error-text.ts';
import { Page } from '../../ui/page.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { overviewWords as words } from '../../words/overview.tsx';
import { Attention } from './attention.tsx';
import { Calls } from './calls.tsx';
import { Codes } from './codes.tsx';
import { Figures } from './figures.tsx';
import { FirstCallChecklist } from './first-call.tsx';
import { Keys } from './keys.tsx';
import classes from './overview.module.css';
import { sinceOf } from './since.ts';
import { SpanChoice, useDays } from './span.tsx';
import { useFirstCall } from './use-first-call.ts';

const pollMs = 30_000;

function useOverview(workspaceId: string, days: number) {
  const mode = useMode();
  return useQuery({
    queryKey: ['overview', workspaceId, days, mode],
    queryFn: ({ signal }) => portal.overview(workspaceId, { days, mode }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (isServerAway(state.error) ? awayMs : pollMs),
  });
}

/** As high as what will be there. */
function Placeholder() {
  return (
    <Stack gap="lg" aria-busy="true">
      <dl className={classes['figures']} aria-hidden>
        {['calls', 'refused', 'failed', 'answered'].map((name) => (
          <Skeleton key={name} height={106} radius="lg" />
        ))}
      </dl>
      <Skeleton height={400} radius="lg" />
    </Stack>
  );
}

/** What happened, and what to do. */
function Findings({ overview }: { overview: Overview }) {
  const since = sinceOf(overview);
  return (
    <>
      <Figures overview={overview} />
      <Calls overview={overview} />
      <div className={classes['columns']}>
        <Stack gap="lg">
          <Keys overview={overview} since={since} />
          <Attention entries={overview.attention} />
        </Stack>
        <Codes overview={overview} since={since} />
      </div>
    </>
  );
}

function Told({ workspace, overview }: { workspace: OwnWorkspace; overview: Overview }) {
  const [isClosed, setClosed] = useState(false);
  const hasCalls = overview.totals.calls > 0;
  const firstCall = useFirstCall(workspace.bizId, !hasCalls);
  if (firstCall === undefined) return <Placeholder />;
  const isFirst = firstCall !== null && !isClosed;
  return (
    <>
      {isFirst ? (
        <FirstCallChecklist
          state={firstCall}
          isOwner={workspace.role === 'OWNER'}
          onClose={() => setClosed(true)}
        />
      ) : null}
      {isFirst && !hasCalls ? <Attention entries={overview.attention} /> : <Findings overview={overview} />}
    </>
  );
}

function Content({ workspace, days }: { workspace: OwnWorkspace; days: number }) {
  const { data, error, refetch, isFetching } = useOverview(workspace.bizId, days);
  return (
    <Stack gap="lg">
      {error === null ? null : (
        <ErrorNotice error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
      )}
      {data === undefined && error === null ? <Placeholder /> : null}
      {data === undefined ? null : <Told workspace={workspace} overview={data} />}
    </Stack>
  );
}

export function OverviewPage() {
  const [days, setDays] = useDays();
  return (
    <InWorkspace title={words.title} icon={IconLayoutDashboard}>
      {(workspace) => (
        <Page
          title={words.title}
          description={words.about(visibleText(workspace.name))}
          actions={<SpanChoice days={days} onChange={setDays} />}
        >
          <Content workspace={workspace} days={days} />
        </Page>
      )}
    </InWorkspace>
  );
}
