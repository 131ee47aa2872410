import { Button } from '@mantine/core';
import type { RequestRecord } from '@portico/sdk/portal';
import { IconListSearch, IconRefresh } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { ListView } from '../../list/list-view.tsx';
import { writeListState } from '../../list/url-state.ts';
import { type List, useList } from '../../list/use-list.ts';
import { useOpenRow } from '../../list/use-open-row.ts';
import { usePageQuery } from '../../list/use-page-query.ts';
import { useRecord } from '../../list/use-record.ts';
import { InWorkspace } from '../../session/in-workspace.tsx';
import { useMode } from '../../session/mode.ts';
import { portal } from '../../session/portal.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { requestWords as words } from '../../words/requests.ts';
import { columnsOf } from './columns.tsx';
import { type Filter, requestsList, type SortField, serviceFilters } from './list.ts';
import { RequestDrawer } from './request-drawer.tsx';
import { Toolbar } from './toolbar.tsx';

const parameter = 'request';
const fields = [
  'occurredAt',
  'requestId',
  'apiKeyId',
  'apiKeyName',
  'mode',
  'method',
  'route',
  'status',
  'code',
  'durationMs',
  'ipAddress',
] as const;

/** Closes the request and filters by what it says, in one step of the browser's history. */
function useFilterByRequest({ state }: List<SortField, Filter>) {
  const [, setParams] = useSearchParams();
  return (name: Filter, value: string) =>
    setParams((now) => {
      const written = writeListState(requestsList, { ...state, page: 1, filters: { [name]: value } }, now);
      written.delete(parameter);
      return written;
    });
}

function useRequests(workspaceId: string) {
  const list = useList(requestsList);
  const mode = useMode();
  const filters = serviceFilters(list.state.filters, mode);
  const result = usePageQuery({
    key: ['requests', workspaceId, filters],
    query: list.query,
    load: (query, options) => portal.listRequests(workspaceId, filters, query, options),
  });
  return { list, result };
}

function Requests({ workspaceId }: { workspaceId: string }) {
  const { list, result } = useRequests(workspaceId);
  const { openId, open, close } = useOpenRow(parameter);
  const openRequest = useCallback(({ requestId }: RequestRecord) => open(requestId), [open]);
  const columns = useMemo(() => columnsOf(openRequest), [openRequest]);
  const request = useRecord({
    key: ['requests', workspaceId],
    id: openId,
    page: result,
    row: result.page?.content.find(({ requestId }) => requestId === openId),
    load: (id, options) => portal.getRequest(workspaceId, id, options),
  });
  const refresh = (
    <Button
      variant="default"
      leftSection={<IconRefresh size={16} aria-hidden />}
      loading={result.isFetching && result.page !== undefined}
      onClick={result.retry}
    >
      {words.refresh}
    </Button>
  );
  return (
    <Page title={words.title} description={words.about} actions={refresh}>
      <ListView
        label={words.title}
        list={list}
        result={result}
        columns={columns}
        rowKey={({ requestId, occurredAt }) => `${requestId} ${occurredAt}`}
        onOpen={openRequest}
        csv={{ name: 'requests', fields }}
        openById={open}
        toolbar={<Toolbar workspaceId={workspaceId} list={list} />}
        empty={
          <EmptyState icon={<IconListSearch size={24} />} title={words.none}>
            {words.noneAbout}
          </EmptyState>
        }
      />
      <RequestDrawer request={request} onFilter={useFilterByRequest(list)} onClose={close} />
    </Page>
  );
}

export function RequestsPage() {
  const mode = useMode();
  return (
    <InWorkspace title={words.title} icon={IconListSearch}>
      {/* Rows of another mode are never shown, not even while others are on their way. */}
      {({ bizId }) => <Requests key={mode} workspaceId={bizId} />}
    </InWorkspace>
  );
}
