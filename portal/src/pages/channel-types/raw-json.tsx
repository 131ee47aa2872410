import { Box, Button, Group } from '@mantine/core';
import { IconBraces } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { channelTypesWords } from '../../words/channel-types.ts';
import classes from './raw-json.module.css';

/** As the service says it, for those who read JSON. */
export function RawJson({ value }: { value: unknown }) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const text = JSON.stringify(value, undefined, 2);
  return (
    <div>
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconBraces size={16} aria-hidden />}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? channelTypesWords.hideJson : channelTypesWords.showJson}
        </Button>
        <CopyButton value={text} what="JSON" />
      </Group>
      <div id={id}>
        {isOpen ? (
          <Box component="pre" className={classes['json'] ?? ''} role="region" aria-label="JSON" tabIndex={0}>
            {text}
          </Box>
        ) : null}
      </div>
    </div>
  );
}
