import { Anchor, Loader, Stack, Text } from '@mantine/core';
import { type SubmitEvent, useEffect, useState } from 'react';
import { portal } from '../../session/portal.ts';
import { type Attempt, useAttempt } from '../../ui/attempt.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogFoot } from '../../ui/dialog-foot.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { ShownValue } from '../../ui/shown-value.tsx';
import { secondFactorWords } from '../../words/account.tsx';
import { uiWords } from '../../words/ui.ts';
import { CodeInput, isWrongCode } from './code-input.tsx';
import { QrCode } from './qr-code.tsx';
import { type Codes, RecoveryCodes } from './recovery-codes.tsx';

type Factor = { secret: string; otpauthUri: string };

/** An answer that was lost on its way comes again without its secret: then another one is made, which takes its place. */
async function newFactor(): Promise<Factor> {
  for (;;) {
    const { secret, otpauthUri } = await portal.addSecondFactor();
    if (secret !== null && otpauthUri !== null) return { secret, otpauthUri };
  }
}

type ConfirmProps = { factor: Factor; attempt: Attempt; onClose(): void; onCodes(codes: Codes): void };

function ConfirmForm({ factor: { secret, otpauthUri }, attempt, onClose, onCodes }: ConfirmProps) {
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get('code')).trim();
    attempt.run(
      () => portal.confirmSecondFactor({ code }),
      ({ recoveryCodes }) => onCodes(recoveryCodes),
    );
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm">
          {secondFactorWords.scan(<Anchor href={otpauthUri}>{secondFactorWords.openThere}</Anchor>)}
        </Text>
        <QrCode text={otpauthUri} label={secondFactorWords.qrCode} />
        <ShownValue name={secondFactorWords.byHand} value={secret} />
        <CodeInput description={secondFactorWords.sixDigits} refusal={attempt.error} />
      </Stack>
      <DialogFoot
        submit={secondFactorWords.turnOn}
        isPending={attempt.isPending}
        error={isWrongCode(attempt.error) ? null : attempt.error}
        onCancel={onClose}
      />
    </form>
  );
}

/** From a new secret to the recovery codes. Both are in the state of this component alone, and gone with it. */
export function AddDialog({ onClose, onDone }: { onClose(): void; onDone(): void }) {
  const start = useAttempt();
  const confirm = useAttempt();
  const { run } = start;
  const [factor, setFactor] = useState<Factor>();
  const [codes, setCodes] = useState<Codes>();
  useEffect(() => run(newFactor, setFactor), [run]);
  const isOn = codes !== undefined;
  return (
    <Dialog
      title={isOn ? secondFactorWords.isOn : secondFactorWords.add}
      mayClose={!isOn && !confirm.isPending}
      hasCloseButton={!isOn}
      onClose={onClose}
    >
      {isOn ? (
        <RecoveryCodes codes={codes} onDone={onDone} />
      ) : factor !== undefined ? (
        <ConfirmForm factor={factor} attempt={confirm} onClose={onClose} onCodes={setCodes} />
      ) : start.error === null ? (
        <Loader size="sm" aria-label={uiWords.loading} />
      ) : (
        <ErrorNotice error={start.error} />
      )}
    </Dialog>
  );
}
