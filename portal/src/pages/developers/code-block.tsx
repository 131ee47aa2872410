import { Box, Text } from '@mantine/core';
import { CopyButton } from '../../ui/copy-button.tsx';
import classes from './code-block.module.css';

type Props = {
  /** Its heading and its accessible name. */
  title: string;
  /** What the copy button says it copies. */
  what: string;
  code: string;
  /** Lines are broken instead of scrolled: for one long word. */
  wraps?: boolean;
};

/** Text for a machine, with a button that copies it. */
export function CodeBlock({ title, what, code, wraps = false }: Props) {
  return (
    <div className={classes['block']}>
      <div className={classes['head']}>
        <Text size="xs" fw={600} c="dimmed">
          {title}
        </Text>
        <CopyButton value={code} what={what} />
      </div>
      <Box
        component="pre"
        className={classes['code'] ?? ''}
        data-wraps={wraps || undefined}
        role="region"
        aria-label={title}
        tabIndex={0}
      >
        {code}
      </Box>
    </div>
  );
}

/** What stands where there is no code yet, of the height of one line. */
export function CodePlaceholder({ title, children }: { title: string; children: string }) {
  return (
    <div className={classes['block']}>
      <div className={classes['head']}>
        <Text size="xs" fw={600} c="dimmed">
          {title}
        </Text>
      </div>
      <p className={classes['placeholder']}>{children}</p>
    </div>
  );
}
