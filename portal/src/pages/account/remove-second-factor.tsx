import { Stack, Text } from '@mantine/core';
import type { SubmitEvent } from 'react';
import { portal } from '../../session/portal.ts';
import { useAttempt } from '../../ui/attempt.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogFoot } from '../../ui/dialog-foot.tsx';
import { secondFactorWords } from '../../words/account.tsx';
import { signInWords } from '../../words/session.tsx';
import { CodeInput, isWrongCode } from './code-input.tsx';

export function RemoveDialog({ onClose, onDone }: { onClose(): void; onDone(): void }) {
  const attempt = useAttempt();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get('code')).trim();
    attempt.run(() => portal.removeSecondFactor({ code }), onDone);
  };
  return (
    <Dialog title={secondFactorWords.removeTitle} mayClose={!attempt.isPending} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm">{secondFactorWords.removeDescription}</Text>
          <CodeInput description={signInWords.codeFrom} refusal={attempt.error} />
        </Stack>
        <DialogFoot
          submit={secondFactorWords.remove}
          color="red.9"
          isPending={attempt.isPending}
          error={isWrongCode(attempt.error) ? null : attempt.error}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}
