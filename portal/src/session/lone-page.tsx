import { Group, Paper, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { rescueFocus } from '../ui/focus.ts';
import iconUrl from '../ui/icon.svg';
import { uiWords } from '../words/ui.ts';
import { productName } from '../words/words.ts';
import { LanguageSwitch } from './language-switch.tsx';
import classes from './lone-page.module.css';

type Props = {
  title: string;
  description?: ReactNode;
  /** Between the heading and the card. */
  notice?: ReactNode;
  children: ReactNode;
  /** Below the card. */
  foot?: ReactNode;
};

/** A page for who is not signed in: what product this is, and one thing to do. */
export function LonePage({ title, description, notice, children, foot }: Props) {
  useEffect(() => {
    document.title = `${title} · Portico`;
    // Where no field has it.
    rescueFocus();
  }, [title]);
  return (
    <main className={classes['page']}>
      <div className={classes['column']}>
        <Group gap={10} mb="lg" wrap="nowrap">
          <img src={iconUrl} width={36} height={36} alt="" />
          <div className={classes['brand']}>
            <Text fw={650} lh={1.2}>
              {productName}
            </Text>
            <Text size="xs" c="dimmed">
              {uiWords.product}
            </Text>
          </div>
          <LanguageSwitch />
        </Group>
        {notice}
        <Paper withBorder radius="lg" className={classes['card'] ?? ''}>
          <Title order={1} size="h3" tabIndex={-1} mb={description === undefined ? 'md' : 4}>
            {title}
          </Title>
          {description === undefined ? null : (
            <Text size="sm" c="dimmed" mb="md">
              {description}
            </Text>
          )}
          {children}
        </Paper>
        {foot}
      </div>
    </main>
  );
}
