import { useLinkedText } from '../../session/link.ts';
import { AskForm } from './ask-form.tsx';
import { SetForm } from './set-form.tsx';

/** With a link of ours, to set a new password; without, to ask for the link. */
export function ResetPasswordPage() {
  const token = useLinkedText();
  return token === '' ? <AskForm /> : <SetForm key={token} token={token} />;
}
