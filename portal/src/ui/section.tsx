import { Group, Paper, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './section.module.css';

type Props = { title: string; description: ReactNode; actions?: ReactNode; children: ReactNode };

/** A part of the page, with a heading of its own. */
export function Section({ title, description, actions, children }: Props) {
  const id = useId();
  return (
    <Paper component="section" aria-labelledby={id} radius="lg" className={classes['section'] ?? ''}>
      <Group className={classes['head'] ?? ''} justify="space-between" align="flex-start" gap="md">
        <div className={classes['title']}>
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          <Text size="sm" c="dimmed" mt={4}>
            {description}
          </Text>
        </div>
        {actions}
      </Group>
      {children}
    </Paper>
  );
}
