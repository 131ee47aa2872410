import { Button, Loader, Stack, Text } from '@mantine/core';
import type { InvitationView } from '@portico/sdk/portal';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { forgetLinkedText } from '../../session/link.ts';
import { portal, session } from '../../session/portal.ts';
import { useAttempt } from '../../ui/attempt.ts';
import { Caution } from '../../ui/caution.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { invitationWords } from '../../words/sign-in.tsx';
import { uiWords } from '../../words/ui.ts';

type Props = { token: string; offer: InvitationView };

const meKey = ['me'];
const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

function WrongAccount({ own, invited }: { own: string; invited: string }) {
  const attempt = useAttempt();
  const leave = () =>
    attempt.run(
      () => session.signOut({ everywhere: false }),
      () => {},
    );
  return (
    <Stack gap="md">
      <Caution role="alert" title={invitationWords.notYours}>
        {invitationWords.wrongAccount(own, invited)}
      </Caution>
      {attempt.error === null ? null : (
        <ErrorNotice error={attempt.error} title={invitationWords.stillSignedIn} />
      )}
      <Button size="md" fullWidth loading={attempt.isPending} onClick={leave}>
        {invitationWords.signOut}
      </Button>
    </Stack>
  );
}

function Accept({ token, own }: { token: string; own: string }) {
  const attempt = useAttempt();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const accept = async () => {
    const { workspaceId } = await portal.acceptInvitation({ token });
    await client.invalidateQueries({ queryKey: meKey });
    return workspaceId;
  };
  const enter = (workspaceId: string) => {
    navigate(`/members?${new URLSearchParams({ workspace: workspaceId })}`);
    forgetLinkedText();
  };
  return (
    <Stack gap="md">
      {attempt.error === null ? null : <ErrorNotice error={attempt.error} />}
      <Text size="sm">{invitationWords.signedInAs(<strong>{own}</strong>)}</Text>
      <Button size="md" fullWidth loading={attempt.isPending} onClick={() => attempt.run(accept, enter)}>
        {invitationWords.accept}
      </Button>
    </Stack>
  );
}

/** For who is signed in, maybe as someone else. */
export function SignedIn({ token, offer }: Props) {
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: meKey,
    queryFn: ({ signal }) => portal.me({ signal }),
  });
  if (data === undefined)
    return error === null ? (
      <Loader size="sm" aria-label={uiWords.loading} />
    ) : (
      <ErrorNotice error={error} onRetry={() => refetch()} isRetrying={isFetching} />
    );
  const { email } = data.account;
  return isSame(email, offer.email) ? (
    <Accept token={token} own={email} />
  ) : (
    <WrongAccount own={email} invited={offer.email} />
  );
}
