import type { OwnWorkspace, Transfer } from '@portico/sdk/portal';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { ListView } from '../../list/list-view.tsx';
import { useList } from '../../list/use-list.ts';
import { usePageQuery } from '../../list/use-page-query.ts';
import { portal } from '../../session/portal.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { columnsOf } from './columns.tsx';
import { serviceFilters, transfersList } from './list.ts';
import { type Mode, ModeSwitch, useMode } from './mode-switch.tsx';
import { TestFrame } from './test-frame.tsx';
import { Toolbar } from './toolbar.tsx';
import { TransferDrawer } from './transfer-drawer.tsx';

/** The transfer of the address, if it is on this page of the list: the back button closes it. */
function useOpenTransfer(transfers: readonly Transfer[] | undefined) {
  const [params, setParams] = useSearchParams();
  const asked = params.get('transfer');
  const set = useCallback(
    (id: string | undefined) =>
      setParams((old) => {
        const { transfer: _transfer, ...kept } = Object.fromEntries(old);
        return id === undefined ? kept : { ...kept, transfer: id };
      }),
    [setParams],
  );
  return {
    transfer: transfers?.find(({ transferId }) => transferId === asked),
    open: useCallback((transfer: Transfer) => set(transfer.transferId), [set]),
    close: useCallback(() => set(undefined), [set]),
  };
}

function Transfers({ workspace, mode }: { workspace: string; mode: Mode }) {
  const list = useList(transfersList);
  const filters = { mode, ...serviceFilters(list.state.filters) };
  const result = usePageQuery({
    key: ['transfers', workspace, filters, list.query],
    load: async (options) => {
      const { content, page } = await portal.listWorkspaceTransfers(workspace, filters, list.query, options);
      return { content, ...page };
    },
  });
  const { transfer, open, close } = useOpenTransfer(result.page?.content);
  const columns = useMemo(() => columnsOf(open), [open]);
  return (
    <TestFrame mode={mode}>
      <ListView
        label={`${mode} transfers`}
        list={list}
        result={result}
        columns={columns}
        rowKey={({ transferId }) => transferId}
        onOpen={open}
        toolbar={<Toolbar list={list} />}
        empty={
          <EmptyState icon={<IconArrowsExchange size={24} />} title={`No ${mode} transfers yet`}>
            The {mode} transfers of this workspace are listed here.
          </EmptyState>
        }
      />
      <TransferDrawer transfer={transfer} mode={mode} onClose={close} />
    </TestFrame>
  );
}

function describe({ name }: OwnWorkspace, mode: Mode): string {
  return mode === 'TEST' ? `TEST transfers of ${name}: no real money` : `LIVE transfers of ${name}`;
}

export function TransfersPage() {
  const workspace = useWorkspace();
  const [mode, setMode] = useMode();
  if (workspace === undefined)
    return (
      <Page title="Transfers">
        <EmptyState icon={<IconArrowsExchange size={24} />} title="You have no role in any workspace">
          Ask the owner of a workspace to add you to it.
        </EmptyState>
      </Page>
    );
  return (
    <Page
      title="Transfers"
      description={describe(workspace, mode)}
      actions={<ModeSwitch mode={mode} setMode={setMode} />}
    >
      {/* Rows of another workspace or mode are never shown, not even while others are on their way. */}
      <Transfers key={`${workspace.bizId} ${mode}`} workspace={workspace.bizId} mode={mode} />
    </Page>
  );
}
