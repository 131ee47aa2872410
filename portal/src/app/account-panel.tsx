import { ActionIcon, Badge, Button, Group, Menu, Text } from '@mantine/core';
import { IconDots, IconLogout } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useMe } from '../session/me.tsx';
import { session } from '../session/portal.ts';
import { useWorkspace } from '../session/workspace.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import classes from './account-panel.module.css';

/** Who one is, in which role, and the way out. */
export function AccountPanel() {
  const { account } = useMe();
  const workspace = useWorkspace();
  const signOut = useMutation({ mutationFn: (everywhere: boolean) => session.signOut({ everywhere }) });
  return (
    <section className={classes['panel']} aria-label="Account">
      {signOut.error === null ? null : <ErrorNotice error={signOut.error} title="You are still signed in" />}
      <Group gap={8} wrap="nowrap" justify="space-between">
        <Text size="sm" fw={600} truncate>
          {account.name}
        </Text>
        {workspace === undefined ? null : (
          <Badge variant="default" radius="sm" flex="none">
            {workspace.role}
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed" truncate>
        {account.email}
      </Text>
      <Group gap={6} mt={10} wrap="nowrap">
        <Button
          variant="default"
          size="xs"
          flex={1}
          leftSection={<IconLogout size={14} aria-hidden />}
          loading={signOut.isPending}
          onClick={() => signOut.mutate(false)}
        >
          Sign out
        </Button>
        <Menu position="top-end" shadow="md">
          <Menu.Target>
            <ActionIcon variant="default" size={30} aria-label="More ways to sign out">
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => signOut.mutate(true)}>Sign out everywhere</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
    </section>
  );
}
