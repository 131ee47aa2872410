import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';

type Props = { title: string; description?: ReactNode; actions?: ReactNode; children: ReactNode };

let hasOpenedAny = false;

/** A page of the shell: its heading, its title in the browser, and the focus when one comes from another page. */
export function Page({ title, description, actions, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Portico`;
    if (hasOpenedAny) heading.current?.focus({ preventScroll: true });
    hasOpenedAny = true;
  }, [title]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-end" gap="md">
        <div>
          <Title order={1} size="h2" ref={heading} tabIndex={-1}>
            {title}
          </Title>
          {description === undefined ? null : (
            <Text c="dimmed" size="sm" mt={4}>
              {description}
            </Text>
          )}
        </div>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}
