import { TextInput } from '@mantine/core';
import { PorticoError } from '@portico/sdk/portal';
import { useWrongField } from '../../ui/use-wrong-field.ts';
import { secondFactorWords } from '../../words/account.tsx';
import { uiWords } from '../../words/ui.ts';

export const isWrongCode = (error: unknown) => error instanceof PorticoError && error.code === '4018';

/** What was refused last is said here, if it was the code. */
export function CodeInput({ description, refusal }: { description: string; refusal: unknown }) {
  const isWrong = isWrongCode(refusal);
  const field = useWrongField(refusal, isWrong);
  return (
    <TextInput
      ref={field}
      name="code"
      label={uiWords.code}
      description={description}
      autoComplete="one-time-code"
      autoCapitalize="off"
      spellCheck={false}
      required
      withAsterisk={false}
      autoFocus
      data-autofocus
      error={isWrong ? secondFactorWords.wrongCode : undefined}
    />
  );
}
