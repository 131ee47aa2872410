import { Alert, Text } from '@mantine/core';
import { PorticoError } from '@portico/sdk/portal';
import { IconAlertCircle } from '@tabler/icons-react';
import { messageOf } from '../../ui/error-text.ts';
import { problemWords } from '../../words/ui.ts';

/** Why the service let nobody in. */
export function SignInError({ error }: { error: unknown }) {
  const requestId = error instanceof PorticoError && error.status !== 401 ? error.requestId : undefined;
  return (
    <Alert color="red" icon={<IconAlertCircle size={20} />}>
      {messageOf(error)}
      {requestId === undefined ? null : (
        <Text size="xs" mt={4}>
          {problemWords.requestId} {requestId}
        </Text>
      )}
    </Alert>
  );
}
