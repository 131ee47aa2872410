import { Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconBuildingBank, IconCheck, IconSelector } from '@tabler/icons-react';
import { useMe } from '../session/me.tsx';
import { useSwitchWorkspace, useWorkspace } from '../session/workspace.ts';
import { formatName } from '../ui/format.ts';
import { GivenName } from '../ui/given-name.tsx';
import { appWords } from '../words/app.tsx';
import classes from './workspace-switch.module.css';

/** Which workspace the pages are about, and the way to another one. */
export function WorkspaceSwitch() {
  const { workspaces, institutions } = useMe();
  const current = useWorkspace();
  const switchTo = useSwitchWorkspace();
  const nameOf = (bizId: string | undefined) =>
    institutions.find((institution) => institution.bizId === bizId)?.name ?? bizId;
  return (
    <Menu width="target" position="bottom-start" shadow="md">
      <Menu.Target>
        <UnstyledButton className={classes['target']}>
          <span className={classes['mark']}>
            <IconBuildingBank size={18} stroke={1.7} aria-hidden />
          </span>
          <span className={classes['names']}>
            <VisuallyHidden>{appWords.workspaceLabel}</VisuallyHidden>
            <Text size="sm" fw={600} truncate>
              <GivenName>{current?.name ?? appWords.noWorkspace}</GivenName>
            </Text>
            <Text size="xs" c="dimmed" truncate>
              <GivenName>{nameOf(current?.institutionBizId) ?? appWords.noneOfIt}</GivenName>
            </Text>
          </span>
          <IconSelector size={16} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {workspaces.length === 0 ? <Menu.Label>{appWords.noRoleAnywhere}</Menu.Label> : null}
        {workspaces.map(({ bizId, name, institutionBizId, role }) => (
          <Menu.Item
            key={bizId}
            onClick={() => switchTo(bizId)}
            rightSection={
              bizId === current?.bizId ? <IconCheck size={16} aria-label={appWords.current} /> : null
            }
          >
            <Text size="sm" truncate>
              <GivenName>{name}</GivenName>
            </Text>
            <Text size="xs" c="dimmed" truncate>
              <GivenName>{nameOf(institutionBizId) ?? ''}</GivenName> · {formatName(role)}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
