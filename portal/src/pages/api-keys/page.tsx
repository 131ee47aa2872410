import { keyStatuses, type OwnWorkspace } from '@portico/sdk/portal';
import { IconKey } from '@tabler/icons-react';
import { useMemo } from 'react';
import { ListView } from '../../list/list-view.tsx';
import { OneFilter } from '../../list/one-filter.tsx';
import { useList } from '../../list/use-list.ts';
import { usePageQuery } from '../../list/use-page-query.ts';
import { InWorkspace } from '../../session/in-workspace.tsx';
import { useMode } from '../../session/mode.ts';
import { portal } from '../../session/portal.ts';
import { BeginButton } from '../../ui/begin-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Page } from '../../ui/page.tsx';
import { apiKeysWords } from '../../words/api-keys.tsx';
import { uiWords } from '../../words/ui.ts';
import { columnsOf } from './columns.tsx';
import { KeyDrawer } from './key-drawer.tsx';
import { keysList, keysQuery, savedFields, useOpenKey } from './list.ts';
import { type Manager, useManager } from './manager.ts';
import { TaskDialog } from './task-dialog.tsx';

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
    key: [...keysQuery(workspaceId), 'list', filters],
    query: list.query,
    load: (query, options) => portal.listApiKeys(workspaceId, filters, query, options),
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
        toolbar={<OneFilter list={list} name="status" label={uiWords.status} options={keyStatuses} />}
        csv={{
          name: `api-keys-${mode.toLowerCase()}`,
          fields: savedFields,
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
      actions={isOwner ? <BeginButton label={apiKeysWords.create} onBegin={manager.create} /> : null}
    >
      <Keys manager={manager} />
    </Page>
  );
}

export const ApiKeysPage = () => (
  <InWorkspace title={apiKeysWords.title} icon={IconKey}>
    {(workspace) => <ApiKeys workspace={workspace} />}
  </InWorkspace>
);
