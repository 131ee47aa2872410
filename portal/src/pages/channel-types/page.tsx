import type { ChannelType } from '@portico/sdk/portal';
import { IconBellRinging } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import { ListView } from '../../list/list-view.tsx';
import { useList } from '../../list/use-list.ts';
import { useOpenRow } from '../../list/use-open-row.ts';
import { usePageQuery } from '../../list/use-page-query.ts';
import { useRecord } from '../../list/use-record.ts';
import { portal } from '../../session/portal.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { channelTypesWords } from '../../words/channel-types.ts';
import { columnsOf } from './columns.tsx';
import { channelTypesList, savedFields, serviceFilters } from './list.ts';
import { Toolbar } from './toolbar.tsx';
import { TypeDrawer } from './type-drawer.tsx';

export function ChannelTypesPage() {
  const list = useList(channelTypesList);
  const filters = serviceFilters(list.state.filters);
  const result = usePageQuery({
    key: ['channel-types', filters],
    query: list.query,
    load: (query, options) => portal.queryChannelTypes(filters, query, options),
  });
  const { openId, open, close } = useOpenRow('type');
  const openType = useCallback(({ typeCode }: ChannelType) => open(typeCode), [open]);
  const columns = useMemo(() => columnsOf(openType), [openType]);
  const type = useRecord({
    key: ['channel-types'],
    id: openId,
    page: result,
    row: result.page?.content.find(({ typeCode }) => typeCode === openId),
    load: (id, options) => portal.getChannelType(id, options),
  });
  return (
    <Page title={channelTypesWords.title} description={channelTypesWords.about}>
      <ListView
        label={channelTypesWords.title}
        list={list}
        result={result}
        columns={columns}
        rowKey={({ bizId }) => bizId}
        onOpen={openType}
        toolbar={<Toolbar list={list} />}
        csv={{
          name: 'channel-types',
          fields: savedFields,
        }}
        empty={
          <EmptyState icon={<IconBellRinging size={24} />} title={channelTypesWords.none}>
            {channelTypesWords.noneAbout}
          </EmptyState>
        }
      />
      <TypeDrawer type={type} onClose={close} />
    </Page>
  );
}
