import { Button, Divider, Stack } from '@mantine/core';
import { portal } from '../../session/portal.ts';
import { useSignInConfig } from '../../session/turnstile/turnstile.tsx';
import { useAttempt } from '../../ui/attempt.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { invitationWords } from '../../words/sign-in.tsx';
import { uiWords } from '../../words/ui.ts';

/** By the sign-in of another service, where there is one. It leads away, and whoever comes back is signed in and a member. */
export function AtProvider({ token }: { token: string }) {
  const { data: config } = useSignInConfig();
  const attempt = useAttempt();
  if (!config?.openIdConnect) return null;
  const leave = () =>
    attempt.run(
      () => portal.acceptByOpenIdConnect({ invitation: token }),
      ({ url }) => location.assign(url),
    );
  return (
    <>
      <Divider my="md" label={uiWords.or} />
      <Stack gap="md">
        {attempt.error === null ? null : <ErrorNotice error={attempt.error} />}
        <Button variant="default" size="md" fullWidth loading={attempt.isPending} onClick={leave}>
          {invitationWords.acceptWith(config.openIdConnect.label)}
        </Button>
      </Stack>
    </>
  );
}
