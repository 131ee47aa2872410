import { ActionIcon, Badge, Button, Group, Menu, Text, VisuallyHidden } from '@mantine/core';
import { IconDots, IconLogout, IconSettings } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { useMe } from '../session/me.tsx';
import { session } from '../session/portal.ts';
import { useInWorkspace, useWorkspace } from '../session/workspace.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { formatName } from '../ui/format.ts';
import { GivenName } from '../ui/given-name.tsx';
import { appWords } from '../words/app.tsx';
import classes from './account-panel.module.css';

const path = '/account';

/** Who one is, in which role, and the way to what belongs to the account. */
function Who({ onLeave }: { onLeave(): void }) {
  const { account } = useMe();
  const [at] = useLocation();
  const workspace = useWorkspace();
  const inWorkspace = useInWorkspace();
  return (
    <Link
      href={inWorkspace(path)}
      className={classes['who']}
      aria-current={at === path ? 'page' : undefined}
      onClick={onLeave}
    >
      <VisuallyHidden>{appWords.yourAccount}</VisuallyHidden>
      <div className={classes['names']}>
        <Group gap={8} wrap="nowrap" justify="space-between">
          <Text size="sm" fw={600} truncate>
            <GivenName>{account.name}</GivenName>
          </Text>
          {workspace === undefined ? null : (
            <Badge variant="default" radius="sm" flex="none">
              {formatName(workspace.role)}
            </Badge>
          )}
        </Group>
        <Text size="xs" className={classes['email'] ?? ''} truncate>
          {account.email}
        </Text>
      </div>
      <IconSettings size={18} stroke={1.7} aria-hidden className={classes['icon']} />
    </Link>
  );
}

/** The account, and the way out. */
export function AccountPanel({ onLeave }: { onLeave(): void }) {
  const signOut = useMutation({ mutationFn: (everywhere: boolean) => session.signOut({ everywhere }) });
  return (
    <section className={classes['panel']} aria-label={appWords.account}>
      {signOut.error === null ? null : <ErrorNotice error={signOut.error} title={appWords.stillSignedIn} />}
      <Who onLeave={onLeave} />
      <Group gap={6} wrap="nowrap" className={classes['out'] ?? ''}>
        <Button
          variant="default"
          size="xs"
          flex={1}
          leftSection={<IconLogout size={14} aria-hidden />}
          loading={signOut.isPending}
          onClick={() => signOut.mutate(false)}
        >
          {appWords.signOut}
        </Button>
        <Menu position="top-end" shadow="md">
          <Menu.Target>
            <ActionIcon variant="default" size={30} aria-label={appWords.moreWaysOut}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => signOut.mutate(true)}>{appWords.signOutEverywhere}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
    </section>
  );
}
