import { Button, VisuallyHidden } from '@mantine/core';
import { keyStatuses, type OwnWorkspace } from '@portico/sdk/portal';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { FilterSelect } from '../../list/filter-select.tsx';
import { ListView } from '../../list/list-view.tsx';
import { type List, useList } from '../../list/use-list.ts';
import { usePageQuery } from '../../list/use-page-query.ts';
import { portal } from '../../session/portal.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Page } from '../../ui/page.tsx';
import { columnsOf } from './columns.tsx';
import { KeyDrawer } from './key-drawer.tsx';
import { keysList, keysQuery, modeNames, type SortField, useOpenKey } from './list.ts';
import { type Manager, useManager } from './manager.ts';
import { TaskDialog } from './task-dialog.tsx';

const title = 'API keys';

function Toolbar({ list }: { list: List<SortField, 'status' | 'mode'> }) {
  const { status, mode } = list.state.filters;
  return (
    <>
      <FilterSelect
        label="Status"
        value={status}
        onChange={(value) => list.setFilter('status', value)}
        options={keyStatuses}
      />
      <FilterSelect
        label="Mode"
        value={mode}
        onChange={(value) => list.setFilter('mode', value)}
        options={modeNames.map((name) => ({ value: name, label: name }))}
      />
      {status === undefined && mode === undefined ? null : (
        <Button variant="subtle" onClick={list.clearFilters}>
          Clear filters
        </Button>
      )}
    </>
  );
}

function NoKeys({ isOwner }: { isOwner: boolean }) {
  return (
    <EmptyState icon={<IconKey size={24} />} title="No API keys yet">
      {isOwner
        ? 'An API key signs calls to the Open API. Create one for each program that makes them.'
        : 'An API key signs calls to the Open API. Owners of the workspace create them.'}
    </EmptyState>
  );
}

function Keys({ manager }: { manager: Manager }) {
  const { workspaceId, powers, act, quick, task, said } = manager;
  const list = useList(keysList);
  const { filters } = list.state;
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
        label={title}
        list={list}
        result={result}
        columns={columns}
        rowKey={(apiKey) => apiKey.apiKeyId}
        onOpen={open}
        toolbar={<Toolbar list={list} />}
        empty={<NoKeys isOwner={powers.isOwner} />}
      />
      <KeyDrawer
        apiKeyId={apiKeyId}
        known={result.page?.content.find((each) => each.apiKeyId === apiKeyId)}
        manager={manager}
        onClose={close}
      />
      {task === undefined ? null : <TaskDialog key={task.number} task={task} manager={manager} />}
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </>
  );
}

function ApiKeys({ workspace }: { workspace: OwnWorkspace }) {
  const manager = useManager(workspace);
  const { isOwner } = manager.powers;
  return (
    <Page
      title={title}
      description={
        isOwner
          ? 'Your programs sign their calls to the Open API with these'
          : 'Programs sign their calls to the Open API with these. Only owners of the workspace change them.'
      }
      actions={
        isOwner ? (
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            aria-haspopup="dialog"
            onClick={({ currentTarget }) => manager.create(currentTarget)}
          >
            Create API key
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
      <Page title={title}>
        <EmptyState icon={<IconKey size={24} />} title="You have no role in any workspace">
          Ask an owner of a workspace to add you to it.
        </EmptyState>
      </Page>
    );
  return <ApiKeys key={workspace.bizId} workspace={workspace} />;
}
