import { ActionIcon, Popover } from '@mantine/core';
import type { OwnWorkspace } from '@portico/sdk/portal';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { portal } from '../session/portal.ts';
import { useWorkspace } from '../session/workspace.ts';
import { bellWords } from '../words/app.tsx';
import classes from './bell.module.css';
import { Notifications, unreadQuery } from './notifications.tsx';

/** How often it is asked whether there is something new; a hidden tab does not ask. */
const pollMs = 30_000;
/** The service counts no further. */
const countMax = 99;

function labelOf(count: number): string {
  return count === 0 ? bellWords.title : bellWords.unreadCount(count, countMax);
}

function InWorkspace({ workspace }: { workspace: OwnWorkspace }) {
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery({
    queryKey: unreadQuery(workspace.bizId),
    queryFn: ({ signal }) => portal.countUnreadNotifications(workspace.bizId, { signal }),
    refetchInterval: pollMs,
  });
  const count = data?.count ?? 0;
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon
          className={classes['bell'] ?? ''}
          variant="subtle"
          color="gray"
          size={36}
          aria-label={labelOf(count)}
          onClick={() => setOpen(!isOpen)}
        >
          <IconBell size={20} stroke={1.7} aria-hidden />
          {count === 0 ? null : (
            <span className={classes['count']} aria-hidden>
              {count > countMax ? `${countMax}+` : count}
            </span>
          )}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={classes['dropdown'] ?? ''} aria-label={bellWords.title}>
        <Notifications workspace={workspace} onLeave={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** What happened in the workspace that nobody here has seen yet. */
export function Bell() {
  const workspace = useWorkspace();
  return workspace === undefined ? null : <InWorkspace key={workspace.bizId} workspace={workspace} />;
}
