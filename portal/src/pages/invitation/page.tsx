import { Button, Loader, Stack, Text } from '@mantine/core';
import { type InvitationView, NotFoundError } from '@portico/sdk/portal';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useLinkedText } from '../../session/link.ts';
import { portal } from '../../session/portal.ts';
import { useSession } from '../../session/use-session.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatName } from '../../ui/format.ts';
import { LonePage } from '../../ui/lone-page.tsx';
import { Moment } from '../../ui/values.tsx';
import { AtProvider } from './at-provider.tsx';
import { NewAccountForm } from './new-account-form.tsx';
import { SignInFirst } from './sign-in-first.tsx';
import { SignedIn } from './signed-in.tsx';

function NoLink({ title, children }: { title: string; children: string }) {
  return (
    <LonePage title={title}>
      <Stack gap="md">
        <Text size="sm" role="alert">
          {children}
        </Text>
        <Button component={Link} href="/" variant="default" size="md" fullWidth>
          Go to Portico
        </Button>
      </Stack>
    </LonePage>
  );
}

function Offer({ offer }: { offer: InvitationView }) {
  const { inviterName, institutionName, workspaceName, role, email, expiresAt } = offer;
  return (
    <>
      {inviterName === null ? 'You are invited' : `${inviterName} invites you`} to{' '}
      <strong>{workspaceName}</strong> of {institutionName} as {formatName(role)}. The invitation is for{' '}
      <strong>{email}</strong> and ends <Moment at={expiresAt} />.
    </>
  );
}

/** What an invitation asks for depends on who opens it. */
function Answer({ token, offer }: { token: string; offer: InvitationView }) {
  const { status } = useSession();
  if (status === 'restoring') return <Loader size="sm" aria-label="Loading" />;
  if (status === 'signed-in') return <SignedIn token={token} offer={offer} />;
  return offer.hasAccount ? (
    <SignInFirst token={token} email={offer.email} />
  ) : (
    <>
      <NewAccountForm token={token} offer={offer} />
      <AtProvider token={token} />
    </>
  );
}

function Invitation({ token }: { token: string }) {
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => portal.lookupInvitation({ token }, { signal }),
    gcTime: 0,
  });
  if (error instanceof NotFoundError)
    return (
      <NoLink title="This invitation does not work any more">
        It works once, for seven days, and not after it was revoked. Ask who invited you for another one.
      </NoLink>
    );
  if (data === undefined)
    return (
      <LonePage title="Invitation">
        {error === null ? (
          <Loader size="sm" aria-label="Loading" />
        ) : (
          <ErrorNotice error={error} onRetry={() => refetch()} isRetrying={isFetching} />
        )}
      </LonePage>
    );
  return (
    <LonePage title={`Join ${data.workspaceName}`} description={<Offer offer={data} />}>
      <Answer token={token} offer={data} />
    </LonePage>
  );
}

export function InvitationPage() {
  const token = useLinkedText();
  return token === '' ? (
    <NoLink title="Open your invitation again">
      Its link was taken out of the address, so that nobody else finds it there. Open it once more from where
      you got it.
    </NoLink>
  ) : (
    <Invitation token={token} />
  );
}
