import { Stack, Text, ThemeIcon } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = { icon: ReactNode; title: string; children?: ReactNode; action?: ReactNode };

/** What stands where there is nothing: what this is, and what to do next. */
export function EmptyState({ icon, title, children, action }: Props) {
  return (
    <Stack align="center" gap="xs" py={56} px="md">
      <ThemeIcon variant="light" size={48} radius="xl" aria-hidden>
        {icon}
      </ThemeIcon>
      <Text fw={600} mt="xs">
        {title}
      </Text>
      {children === undefined ? null : (
        <Text size="sm" c="dimmed" ta="center" maw={420}>
          {children}
        </Text>
      )}
      {action === undefined ? null : <div>{action}</div>}
    </Stack>
  );
}
