import { ActionIcon, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** Copies a value; what says which value. */
export function CopyButton({ value, what }: { value: string; what: string }) {
  const { copy, copied } = useClipboard({ timeout: 1500 });
  return (
    <Tooltip label={copied ? 'Copied' : `Copy ${what}`}>
      <ActionIcon variant="subtle" color="gray" aria-label={`Copy ${what}`} onClick={() => copy(value)}>
        {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
      </ActionIcon>
    </Tooltip>
  );
}
