import type { ChannelType } from '@portico/sdk/portal';
import { IconBellRinging } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { ListView } from '../../list/list-view.tsx';
import { useList } from '../../list/use-list.ts';
import { usePageQuery } from '../../list/use-page-query.ts';
import { portal } from '../../session/portal.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { columnsOf } from './columns.tsx';
import { channelTypesList, serviceFilters } from './list.ts';
import { Toolbar } from './toolbar.tsx';
import { TypeDrawer } from './type-drawer.tsx';

/** The type of the address, if it is on this page of the list: the back button closes it. */
function useOpenType(types: readonly ChannelType[] | undefined) {
  const [params, setParams] = useSearchParams();
  const asked = params.get('type');
  const set = useCallback(
    (code: string | undefined) =>
      setParams((old) => {
        const { type: _type, ...kept } = Object.fromEntries(old);
        return code === undefined ? kept : { ...kept, type: code };
      }),
    [setParams],
  );
  return {
    type: types?.find(({ typeCode }) => typeCode === asked),
    open: useCallback((type: ChannelType) => set(type.typeCode), [set]),
    close: useCallback(() => set(undefined), [set]),
  };
}

export function ChannelTypesPage() {
  const list = useList(channelTypesList);
  const filters = serviceFilters(list.state.filters);
  const result = usePageQuery({
    key: ['channel-types', filters, list.query],
    load: (options) => portal.queryChannelTypes(filters, list.query, options),
  });
  const { type, open, close } = useOpenType(result.page?.content);
  const columns = useMemo(() => columnsOf(open), [open]);
  return (
    <Page title="Channel types" description="Ways in which notifications can be sent, and what each needs">
      <ListView
        label="Channel types"
        list={list}
        result={result}
        columns={columns}
        rowKey={({ bizId }) => bizId}
        onOpen={open}
        toolbar={<Toolbar list={list} />}
        empty={
          <EmptyState icon={<IconBellRinging size={24} />} title="The catalogue is empty">
            The types of channel that this service knows are listed here.
          </EmptyState>
        }
      />
      <TypeDrawer type={type} onClose={close} />
    </Page>
  );
}
