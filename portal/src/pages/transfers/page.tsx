import type { Mode, OwnWorkspace, Transfer } from '@portico/sdk/portal';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import { ListView } from '../../list/list-view.tsx';
import { useList } from '../../list/use-list.ts';
import { useOpenRow } from '../../list/use-open-row.ts';
import { type PageResult, usePageQuery } from '../../list/use-page-query.ts';
import { useRecord } from '../../list/use-record.ts';
import { InWorkspace } from '../../session/in-workspace.tsx';
import { useMode } from '../../session/mode.ts';
import { portal } from '../../session/portal.ts';
import { useRecordMode } from '../../session/record-mode.ts';
import { BeginButton } from '../../ui/begin-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { transfersWords } from '../../words/transfers.tsx';
import { columnsOf } from './columns.tsx';
import { type Found, findTransfer } from './find.ts';
import {
  isMoving,
  movingMs,
  openParameter,
  savedFields,
  serviceFilters,
  transfersList,
  transfersQuery,
} from './list.ts';
import { type Manager, useManager } from './manager.ts';
import { TaskDialog } from './task-dialog.tsx';
import { Toolbar } from './toolbar.tsx';
import { TransferDrawer } from './transfer-drawer.tsx';

/** The transfer that the address names, with its mode: a row of the page, or, wherever else it is, by its id. */
function useFound(workspace: string, mode: Mode, id: string | undefined, result: PageResult<Transfer>) {
  const row = result.page?.content.find(({ transferId }) => transferId === id);
  const found = useRecord<Found>({
    key: transfersQuery(workspace),
    id,
    page: result,
    row: row === undefined ? undefined : { transfer: row, mode },
    load: (transferId, options) => findTransfer(workspace, transferId, options),
    pollMs: ({ transfer, mode: of }) => (of === 'TEST' && isMoving(transfer) ? movingMs : false),
  });
  useRecordMode(found.record?.mode);
  return found;
}

function Transfers({ manager, mode }: { manager: Manager; mode: Mode }) {
  const workspace = manager.workspace.bizId;
  const list = useList(transfersList);
  const filters = { mode, ...serviceFilters(list.state.filters) };
  const result = usePageQuery({
    key: [...transfersQuery(workspace), filters],
    query: list.query,
    load: async (query, options) => {
      const { content, page } = await portal.listWorkspaceTransfers(workspace, filters, query, options);
      return { content, ...page };
    },
    pollMs: ({ content }) => (mode === 'TEST' && content.some(isMoving) ? movingMs : false),
  });
  const { openId, open, close } = useOpenRow(openParameter);
  const openTransfer = useCallback(({ transferId }: Transfer) => open(transferId), [open]);
  const columns = useMemo(() => columnsOf(openTransfer), [openTransfer]);
  const found = useFound(workspace, mode, openId, result);
  return (
    <>
      <ListView
        label={transfersWords.listed(mode)}
        list={list}
        result={result}
        columns={columns}
        rowKey={({ transferId }) => transferId}
        onOpen={openTransfer}
        toolbar={<Toolbar list={list} />}
        csv={{ name: `transfers-${mode.toLowerCase()}`, fields: savedFields }}
        openById={open}
        empty={
          <EmptyState icon={<IconArrowsExchange size={24} />} title={transfersWords.none(mode)}>
            {transfersWords.noneAbout(mode)}
          </EmptyState>
        }
      />
      <TransferDrawer found={found} manager={manager} onClose={close} />
    </>
  );
}

function describe({ name }: OwnWorkspace, mode: Mode): string {
  const shown = visibleText(name);
  return mode === 'TEST' ? transfersWords.aboutTest(shown) : transfersWords.aboutLive(shown);
}

function Own({ workspace }: { workspace: OwnWorkspace }) {
  const manager = useManager(workspace);
  const mode = useMode();
  const { isWorker, task } = manager;
  return (
    <Page
      title={transfersWords.title}
      description={describe(workspace, mode)}
      actions={
        isWorker ? (
          <BeginButton
            label={transfersWords.create}
            onBegin={(opener) => manager.begin({ action: 'create' }, opener)}
          />
        ) : null
      }
    >
      {/* Rows of another mode are never shown, not even while others are on their way. */}
      <Transfers key={mode} manager={manager} mode={mode} />
      {task === undefined ? null : <TaskDialog key={task.number} task={task} manager={manager} mode={mode} />}
    </Page>
  );
}

export const TransfersPage = () => (
  <InWorkspace title={transfersWords.title} icon={IconArrowsExchange}>
    {(workspace) => <Own workspace={workspace} />}
  </InWorkspace>
);
