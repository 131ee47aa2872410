import { Button } from '@mantine/core';
import { keyStatuses, type OwnWorkspace } from '@portico/sdk/portal';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { ClearFilters } from '../../list/clear-filters.tsx';
import { FilterSelect } from '../../list/filter-select.tsx';
import { ListView } from '../../list/list-view.tsx';
import { type List, useList } from '../../list/use-list.ts';
import { usePageQuery } from '../../list/use-page-query.ts';
import { useMode } from '../../session/mode.ts';
import { portal } from '../../session/portal.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Page } from '../../ui/page.tsx';
import { apiKeysWords } from '../../words/api-keys.tsx';
import { uiWords } from '../../words/ui.ts';
import { columnsOf } from './columns.tsx';
import { KeyDrawer } from './key-drawer.tsx';
import { keysList, keysQuery, type SortField, savedFields, useOpenKey } from './list.ts';
import { type Manager, useManager } from './manager.ts';
import { TaskDialog } from './task-dialog.tsx';

function Toolbar({ list }: { list: List<SortField, 'status'> }) {
  const { status } = list.state.filters;
  return (
    <>
      <FilterSelect
        label={uiWords.status}
        value={status}
        onChange={(value) => list.setFilter('status', value)}
        options={keyStatuses}
      />
      <ClearFilters list={list} />
    </>
  );
}

function NoKeys({ isOwner }: { isOwner: boolean }) {
  return (
    <EmptyState icon={<IconKey size={24} />} title={apiKeysWords.noneYet}>
      {isOwner ? apiKeysWords.noneOwner : apiKeysWords.noneOthers}
    </EmptyState>
  );
}

function Keys({ manager }: { manager: Manager }) {
  const { workspaceId, powers, act, quick, task } = manager;
  const list = useList(keysList);
  const mode = useMode();
  const filters = { ...list.state.filters, mode };
  const result = usePageQuery({
    key: [...keysQuery(workspaceId), 'list', filters, list.query],
    load: (options) => portal.listApiKeys(workspaceId, filters, list.query, options),
  });
  const { apiKeyId, open, close } = useOpenKey();
  const columns = useMemo(() => columnsOf(open, powers, act), [open, powers, act]);
  return (
    <>
      {quick.error === null || apiKeyId !== undefined ? null : <ErrorNotice error={quick.error} />}
      <ListView
        label={apiKeysWords.title}
        list={list}
        result={result}
        columns={columns}
        rowKey={(apiKey) => apiKey.apiKeyId}
        onOpen={open}
        toolbar={<Toolbar list={list} />}
        csv={{
          name: `api-keys-${mode.toLowerCase()}`,
          fields: savedFields,
          load: (query, options) => portal.listApiKeys(workspaceId, filters, query, options),
        }}
        empty={<NoKeys isOwner={powers.isOwner} />}
      />
      <KeyDrawer
        apiKeyId={apiKeyId}
        known={result.page?.content.find((each) => each.apiKeyId === apiKeyId)}
        manager={manager}
        onClose={close}
      />
      {task === undefined ? null : <TaskDialog key={task.number} task={task} manager={manager} />}
    </>
  );
}

function ApiKeys({ workspace }: { workspace: OwnWorkspace }) {
  const manager = useManager(workspace);
  const { isOwner } = manager.powers;
  return (
    <Page
      title={apiKeysWords.title}
      description={isOwner ? apiKeysWords.aboutOwner : apiKeysWords.aboutOthers}
      actions={
        isOwner ? (
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            aria-haspopup="dialog"
            onClick={({ currentTarget }) => manager.create(currentTarget)}
          >
            {apiKeysWords.create}
          </Button>
        ) : null
      }
    >
      <Keys manager={manager} />
    </Page>
  );
}

export function ApiKeysPage() {
  const workspace = useWorkspace();
  if (workspace === undefined)
    return (
      <Page title={apiKeysWords.title}>
        <EmptyState icon={<IconKey size={24} />} title={uiWords.noWorkspace}>
          {apiKeysWords.askOwner}
        </EmptyState>
      </Page>
    );
  return <ApiKeys key={workspace.bizId} workspace={workspace} />;
}
