import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { uiWords } from '../words/ui.ts';
import classes from './dialog.module.css';

type Props = {
  title: string;
  isWide?: boolean;
  /** What is under way, or shown once, is not closed by chance. */
  mayClose: boolean;
  /** Whether there is a way out but for what stands in the dialog. */
  hasCloseButton?: boolean;
  onClose(): void;
  children: ReactNode;
};

export function Dialog({ title, isWide = false, mayClose, hasCloseButton = true, onClose, children }: Props) {
  return (
    <Modal
      opened
      onClose={() => (mayClose ? onClose() : undefined)}
      title={title}
      size={isWide ? 640 : 520}
      classNames={{ title: classes['title'] ?? '' }}
      yOffset="5dvh"
      padding="lg"
      withCloseButton={hasCloseButton}
      closeButtonProps={{ 'aria-label': uiWords.close }}
      closeOnEscape={mayClose}
      // What was typed is not lost by a click beside it.
      closeOnClickOutside={false}
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      {children}
    </Modal>
  );
}
