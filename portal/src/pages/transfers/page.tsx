import { Button, Group, VisuallyHidden } from '@mantine/core';
import type { Mode, OwnWorkspace, Transfer } from '@portico/sdk/portal';
import { IconArrowsExchange, IconPlus } from '@tabler/icons-react';
import { useCallback, useEffect, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { ListView } from '../../list/list-view.tsx';
import { ModeSwitch, useMode } from '../../list/mode-switch.tsx';
import { TestFrame } from '../../list/test-frame.tsx';
import { useList } from '../../list/use-list.ts';
import { useOpenRow } from '../../list/use-open-row.ts';
import { type PageResult, usePageQuery } from '../../list/use-page-query.ts';
import { useRecord } from '../../list/use-record.ts';
import { portal } from '../../session/portal.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { columnsOf } from './columns.tsx';
import { type Found, findTransfer } from './find.ts';
import { isMoving, movingMs, openParameter, serviceFilters, transfersList, transfersQuery } from './list.ts';
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
  const [, setParams] = useSearchParams();
  const actual = found.record?.mode ?? mode;
  useEffect(() => {
    if (actual === mode) return;
    // It is of the other list, which then stands behind it.
    setParams(
      (old) => {
        const { mode: _mode, page: _page, ...kept } = Object.fromEntries(old);
        return actual === 'TEST' ? { ...kept, mode: actual } : kept;
      },
      { replace: true },
    );
  }, [actual, mode, setParams]);
  return found;
}

function Transfers({ manager, mode }: { manager: Manager; mode: Mode }) {
  const workspace = manager.workspace.bizId;
  const list = useList(transfersList);
  const filters = { mode, ...serviceFilters(list.state.filters) };
  const result = usePageQuery({
    key: [...transfersQuery(workspace), filters, list.query],
    load: async (options) => {
      const { content, page } = await portal.listWorkspaceTransfers(workspace, filters, list.query, options);
      return { content, ...page };
    },
    pollMs: ({ content }) => (mode === 'TEST' && content.some(isMoving) ? movingMs : false),
  });
  const { openId, open, close } = useOpenRow(openParameter);
  const openTransfer = useCallback(({ transferId }: Transfer) => open(transferId), [open]);
  const columns = useMemo(() => columnsOf(openTransfer), [openTransfer]);
  const found = useFound(workspace, mode, openId, result);
  return (
    <TestFrame mode={mode}>
      <ListView
        label={`${mode} transfers`}
        list={list}
        result={result}
        columns={columns}
        rowKey={({ transferId }) => transferId}
        onOpen={openTransfer}
        toolbar={<Toolbar list={list} />}
        empty={
          <EmptyState icon={<IconArrowsExchange size={24} />} title={`No ${mode} transfers yet`}>
            The {mode} transfers of this workspace are listed here.
          </EmptyState>
        }
      />
      <TransferDrawer found={found} manager={manager} onClose={close} />
    </TestFrame>
  );
}

function describe({ name }: OwnWorkspace, mode: Mode): string {
  return mode === 'TEST' ? `TEST transfers of ${name}: no real money` : `LIVE transfers of ${name}`;
}

function InWorkspace({ workspace }: { workspace: OwnWorkspace }) {
  const manager = useManager(workspace);
  const [mode, setMode] = useMode(openParameter);
  const { isWorker, task, said } = manager;
  return (
    <Page
      title="Transfers"
      description={describe(workspace, mode)}
      actions={
        <Group gap="sm">
          <ModeSwitch mode={mode} setMode={setMode} />
          {isWorker ? (
            <Button
              leftSection={<IconPlus size={16} aria-hidden />}
              aria-haspopup="dialog"
              onClick={({ currentTarget }) => manager.begin({ action: 'create' }, currentTarget)}
            >
              Create transfer
            </Button>
          ) : null}
        </Group>
      }
    >
      {/* Rows of another mode are never shown, not even while others are on their way. */}
      <Transfers key={mode} manager={manager} mode={mode} />
      {task === undefined ? null : <TaskDialog key={task.number} task={task} manager={manager} mode={mode} />}
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </Page>
  );
}

export function TransfersPage() {
  const workspace = useWorkspace();
  if (workspace === undefined)
    return (
      <Page title="Transfers">
        <EmptyState icon={<IconArrowsExchange size={24} />} title="You have no role in any workspace">
          Ask the owner of a workspace to add you to it.
        </EmptyState>
      </Page>
    );
  return <InWorkspace key={workspace.bizId} workspace={workspace} />;
}
