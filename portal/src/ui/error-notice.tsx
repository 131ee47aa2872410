import { Alert, Button, Group, Text } from '@mantine/core';
import { PorticoError } from '@portico/sdk/portal';
import { IconAlertCircle } from '@tabler/icons-react';
import { copyWords, problemWords, uiWords } from '../words/ui.ts';
import { CopyButton } from './copy-button.tsx';
import { isServerAway, messageOf, untoldOf } from './error-text.ts';

type Props = { error: unknown; title?: string; onRetry?: () => void; isRetrying?: boolean };

function Reference({ error }: { error: PorticoError }) {
  return (
    <Group gap={6} mt={6}>
      {error.code === undefined ? null : (
        <Text size="xs" c="dimmed">
          {problemWords.code(error.code)}
        </Text>
      )}
      {error.requestId === undefined ? null : (
        <>
          <Text size="xs" c="dimmed">
            {problemWords.requestId}{' '}
            <Text span ff="monospace" size="xs">
              {error.requestId}
            </Text>
          </Text>
          <CopyButton value={error.requestId} what={copyWords.requestId} />
        </>
      )}
    </Group>
  );
}

/** A refusal or a failure, announced, with what to quote when reporting it. */
export function ErrorNotice({ error, title, onRetry, isRetrying = false }: Props) {
  const isAway = isServerAway(error);
  const untold = untoldOf(error);
  return (
    <Alert
      color={isAway ? 'yellow' : 'red'}
      variant="light"
      icon={<IconAlertCircle size={20} />}
      title={title ?? (isAway ? problemWords.away : problemWords.failed)}
    >
      <Text size="sm">{messageOf(error)}</Text>
      {untold === undefined ? null : (
        <Text size="sm" mt={4} lang="en">
          {problemWords.saidByService(untold)}
        </Text>
      )}
      {error instanceof PorticoError ? <Reference error={error} /> : null}
      {onRetry === undefined ? null : (
        <Button size="xs" variant="default" mt="sm" onClick={onRetry} loading={isRetrying}>
          {uiWords.retry}
        </Button>
      )}
    </Alert>
  );
}
