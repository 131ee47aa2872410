import type { OwnWorkspace, Transfer } from '@portico/sdk/portal';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import { ListView } from '../../list/list-view.tsx';
import { useList } from '../../list/use-list.ts';
import { useOpenRow } from '../../list/use-open-row.ts';
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
  const { openId, open, close } = useOpenRow('transfer');
  const openTransfer = useCallback(({ transferId }: Transfer) => open(transferId), [open]);
  const columns = useMemo(() => columnsOf(openTransfer), [openTransfer]);
  const transfer = result.page?.content.find(({ transferId }) => transferId === openId);
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
