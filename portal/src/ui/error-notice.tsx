import { Alert, Button, Group, Text } from '@mantine/core';
import { PorticoError } from '@portico/sdk/portal';
import { IconAlertCircle } from '@tabler/icons-react';
import { CopyButton } from './copy-button.tsx';
import { isServerAway, messageOf } from './error-text.ts';

type Props = { error: unknown; title?: string; onRetry?: () => void; isRetrying?: boolean };

function Reference({ error }: { error: PorticoError }) {
  return (
    <Group gap={6} mt={6}>
      {error.code === undefined ? null : (
        <Text size="xs" c="dimmed">
          Code {error.code}
        </Text>
      )}
      {error.requestId === undefined ? null : (
        <>
          <Text size="xs" c="dimmed">
            Request id{' '}
            <Text span ff="monospace" size="xs">
              {error.requestId}
            </Text>
          </Text>
          <CopyButton value={error.requestId} what="request id" />
        </>
      )}
    </Group>
  );
}

/** A refusal or a failure, announced, with what to quote when reporting it. */
export function ErrorNotice({ error, title, onRetry, isRetrying = false }: Props) {
  const isAway = isServerAway(error);
  return (
    <Alert
      color={isAway ? 'yellow' : 'red'}
      variant="light"
      icon={<IconAlertCircle size={20} />}
      title={title ?? (isAway ? 'The service is not reachable' : 'That did not work')}
    >
      <Text size="sm">{messageOf(error)}</Text>
      {error instanceof PorticoError ? <Reference error={error} /> : null}
      {onRetry === undefined ? null : (
        <Button size="xs" variant="default" mt="sm" onClick={onRetry} loading={isRetrying}>
          Retry
        </Button>
      )}
    </Alert>
  );
}
