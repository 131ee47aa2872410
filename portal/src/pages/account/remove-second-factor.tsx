import { Stack, Text } from '@mantine/core';
import type { SubmitEvent } from 'react';
import { portal } from '../../session/portal.ts';
import { useAttempt } from '../../ui/attempt.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogFoot } from '../../ui/dialog-foot.tsx';
import { CodeInput, isWrongCode } from './code-input.tsx';

export function RemoveDialog({ onClose, onDone }: { onClose(): void; onDone(): void }) {
  const attempt = useAttempt();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get('code')).trim();
    attempt.run(() => portal.removeSecondFactor({ code }), onDone);
  };
  return (
    <Dialog title="Remove the second factor" mayClose={!attempt.isPending} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm">The password alone signs you in from then on. Its recovery codes end too.</Text>
          <CodeInput
            description="From your authenticator app, or one of your recovery codes"
            refusal={attempt.error}
          />
        </Stack>
        <DialogFoot
          submit="Remove"
          color="red.9"
          isPending={attempt.isPending}
          error={isWrongCode(attempt.error) ? null : attempt.error}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}
