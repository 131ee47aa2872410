import { ActionIcon, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { copyWords } from '../words/ui.ts';
import { Copyable } from './copyable.tsx';

/** Copies a value; what says which value. */
export function CopyButton({ value, what }: { value: string; what: string }) {
  const label = copyWords.copy(what);
  return (
    <Copyable value={value}>
      {({ isCopied, copy }) => (
        <Tooltip label={isCopied ? copyWords.copied : label}>
          <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={copy}>
            {isCopied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          </ActionIcon>
        </Tooltip>
      )}
    </Copyable>
  );
}
