import { PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { passwordWords, uiWords } from '../words/ui.ts';

const field = 'newPassword';
/** The service counts as people do: a letter of several code units is one. */
const charactersMin = 8;
const charactersMax = 256;

function problemOf(password: string): string | undefined {
  const { length } = [...password];
  if (length < charactersMin) return passwordWords.tooShort(charactersMin);
  return length > charactersMax ? passwordWords.tooLong(charactersMax) : undefined;
}

/** Reads the password that a form sets. */
export function useNewPassword() {
  const [problem, setProblem] = useState<string>();
  /** Undefined: it cannot be set, and its field says why. */
  const read = (form: HTMLFormElement): string | undefined => {
    const input = form.elements.namedItem(field) as HTMLInputElement; // NewPassword gives it this name
    const wrong = problemOf(input.value);
    setProblem(wrong);
    if (wrong === undefined) return input.value;
    input.focus();
    return undefined;
  };
  return { problem, read };
}

type Props = { label: string; problem: string | undefined; autoFocus?: boolean };

export function NewPassword({ label, problem, autoFocus = false }: Props) {
  return (
    <PasswordInput
      name={field}
      label={label}
      description={passwordWords.description(charactersMin)}
      autoComplete="new-password"
      required
      withAsterisk={false}
      error={problem}
      autoFocus={autoFocus}
      visibilityToggleButtonProps={{ 'aria-label': uiWords.showTyped }}
    />
  );
}
