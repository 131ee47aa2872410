import { Tabs } from '@mantine/core';
import { invitationStatuses, workspaceRoles } from '@portico/sdk/portal';
import { IconMail, IconUsers } from '@tabler/icons-react';
import { ListView } from '../../list/list-view.tsx';
import { OneFilter } from '../../list/one-filter.tsx';
import { useList } from '../../list/use-list.ts';
import { usePageQuery } from '../../list/use-page-query.ts';
import { portal } from '../../session/portal.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { membersWords } from '../../words/members.tsx';
import { uiWords } from '../../words/ui.ts';
import { invitationColumns } from './invitation-columns.tsx';
import {
  invitationsList,
  membersList,
  savedInvitationFields,
  savedMemberFields,
  teamQuery,
  useView,
} from './list.ts';
import type { Manager } from './manager.ts';
import { memberColumns } from './member-columns.tsx';

function Members({ manager }: { manager: Manager }) {
  const workspaceId = manager.workspace.bizId;
  const list = useList(membersList);
  const { filters } = list.state;
  const result = usePageQuery({
    key: [...teamQuery(workspaceId), 'members', filters],
    query: list.query,
    load: (query, options) => portal.listMembers(workspaceId, filters, query, options),
  });
  return (
    <ListView
      label={membersWords.title}
      list={list}
      result={result}
      columns={memberColumns(manager)}
      rowKey={({ accountId }) => accountId}
      toolbar={<OneFilter list={list} name="role" label={uiWords.role} options={workspaceRoles} />}
      csv={{
        name: 'members',
        fields: savedMemberFields,
      }}
      empty={<EmptyState icon={<IconUsers size={24} />} title={membersWords.nobody} />}
    />
  );
}

function Invitations({ manager }: { manager: Manager }) {
  const workspaceId = manager.workspace.bizId;
  const list = useList(invitationsList);
  const { filters } = list.state;
  const result = usePageQuery({
    key: [...teamQuery(workspaceId), 'invitations', filters],
    query: list.query,
    load: (query, options) => portal.listInvitations(workspaceId, filters, query, options),
  });
  return (
    <ListView
      label={membersWords.invitations}
      list={list}
      result={result}
      columns={invitationColumns(manager)}
      rowKey={({ invitationId }) => invitationId}
      toolbar={<OneFilter list={list} name="status" label={uiWords.status} options={invitationStatuses} />}
      csv={{
        name: 'invitations',
        fields: savedInvitationFields,
      }}
      empty={
        <EmptyState icon={<IconMail size={24} />} title={membersWords.nobodyInvited}>
          {membersWords.invitationTerms}
        </EmptyState>
      }
    />
  );
}

/** Invitations are the owners' business. */
export function Lists({ manager }: { manager: Manager }) {
  const [view, setView] = useView();
  if (!manager.isOwner) return <Members manager={manager} />;
  return (
    <Tabs
      value={view}
      onChange={(value) => setView(value === 'invitations' ? value : 'members')}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        <Tabs.Tab value="members">{membersWords.title}</Tabs.Tab>
        <Tabs.Tab value="invitations">{membersWords.invitations}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="members">
        <Members manager={manager} />
      </Tabs.Panel>
      <Tabs.Panel value="invitations">
        <Invitations manager={manager} />
      </Tabs.Panel>
    </Tabs>
  );
}
