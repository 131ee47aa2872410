import type { AuditLogRecord } from '@portico/sdk/portal';
import { IconHistory } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { ListView } from '../../list/list-view.tsx';
import { writeListState } from '../../list/url-state.ts';
import { useList } from '../../list/use-list.ts';
import { useOpenRow } from '../../list/use-open-row.ts';
import { usePageQuery } from '../../list/use-page-query.ts';
import { useRecord } from '../../list/use-record.ts';
import { portal } from '../../session/portal.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { auditLogWords } from '../../words/audit-log.ts';
import { uiWords } from '../../words/ui.ts';
import { columnsOf } from './columns.tsx';
import { DeedDrawer } from './deed-drawer.tsx';
import { auditList, type Filter, savedFields, serviceFilters } from './list.ts';
import { Toolbar } from './toolbar.tsx';

const parameter = 'record';

/** Closes the record and filters by what it says, in one step of the browser's history. */
function useFilterByRecord() {
  const list = useList(auditList);
  const [, setParams] = useSearchParams();
  return (name: Filter, value: string) =>
    setParams((now) => {
      const written = writeListState(auditList, { ...list.state, page: 1, filters: { [name]: value } }, now);
      written.delete(parameter);
      return written;
    });
}

function AuditLog({ workspaceId }: { workspaceId: string }) {
  const list = useList(auditList);
  const filters = serviceFilters(list.state.filters);
  const result = usePageQuery({
    key: ['audit-log', workspaceId, filters],
    query: list.query,
    load: (query, options) => portal.listAuditLog(workspaceId, filters, query, options),
  });
  const { openId, open, close } = useOpenRow(parameter);
  const openRecord = useCallback(({ sequence }: AuditLogRecord) => open(`${sequence}`), [open]);
  const columns = useMemo(() => columnsOf(openRecord), [openRecord]);
  const filterByRecord = useFilterByRecord();
  const record = useRecord({
    key: ['audit-log', workspaceId],
    id: openId,
    page: result,
    row: result.page?.content.find(({ sequence }) => `${sequence}` === openId),
    load: (id, options) => portal.getAuditLogRecord(workspaceId, id, options),
  });
  return (
    <>
      <ListView
        label={auditLogWords.title}
        list={list}
        result={result}
        columns={columns}
        rowKey={({ auditId }) => auditId}
        onOpen={openRecord}
        toolbar={<Toolbar list={list} />}
        csv={{
          name: 'audit-log',
          fields: savedFields,
        }}
        empty={
          <EmptyState icon={<IconHistory size={24} />} title={auditLogWords.none}>
            {auditLogWords.noneAbout}
          </EmptyState>
        }
      />
      <DeedDrawer record={record} onFilter={filterByRecord} onClose={close} />
    </>
  );
}

export function AuditLogPage() {
  const workspace = useWorkspace();
  if (workspace?.role !== 'OWNER')
    return (
      <Page title={auditLogWords.title}>
        <EmptyState
          icon={<IconHistory size={24} />}
          title={workspace === undefined ? uiWords.noWorkspace : auditLogWords.ownersOnly}
        >
          {auditLogWords.askOwner(workspace === undefined ? undefined : visibleText(workspace.name))}
        </EmptyState>
      </Page>
    );
  return (
    <Page title={auditLogWords.title} description={auditLogWords.about(visibleText(workspace.name))}>
      <AuditLog key={workspace.bizId} workspaceId={workspace.bizId} />
    </Page>
  );
}
