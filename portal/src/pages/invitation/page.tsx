import { Button, Loader, Stack, Text } from '@mantine/core';
import { type InvitationView, NotFoundError } from '@portico/sdk/portal';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useLinkedText } from '../../session/link.ts';
import { LonePage } from '../../session/lone-page.tsx';
import { portal } from '../../session/portal.ts';
import { useSession } from '../../session/use-session.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatName } from '../../ui/format.ts';
import { GivenName } from '../../ui/given-name.tsx';
import { Moment } from '../../ui/values.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { invitationWords } from '../../words/sign-in.tsx';
import { uiWords } from '../../words/ui.ts';
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
          {invitationWords.goHome}
        </Button>
      </Stack>
    </LonePage>
  );
}

function Offer({ offer }: { offer: InvitationView }) {
  const { inviterName, institutionName, workspaceName, role, email, expiresAt } = offer;
  return (
    <>
      {invitationWords.offer(
        inviterName === null ? null : <GivenName>{inviterName}</GivenName>,
        <strong>
          <GivenName>{workspaceName}</GivenName>
        </strong>,
        <GivenName>{institutionName}</GivenName>,
        formatName(role),
      )}
      {invitationWords.terms(<strong>{email}</strong>, <Moment at={expiresAt} />)}
    </>
  );
}

/** What an invitation asks for depends on who opens it. */
function Answer({ token, offer }: { token: string; offer: InvitationView }) {
  const { status } = useSession();
  if (status === 'restoring') return <Loader size="sm" aria-label={uiWords.loading} />;
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
    return <NoLink title={invitationWords.deadTitle}>{invitationWords.dead}</NoLink>;
  if (data === undefined)
    return (
      <LonePage title={invitationWords.title}>
        {error === null ? (
          <Loader size="sm" aria-label={uiWords.loading} />
        ) : (
          <ErrorNotice error={error} onRetry={() => refetch()} isRetrying={isFetching} />
        )}
      </LonePage>
    );
  return (
    <LonePage
      title={invitationWords.join(visibleText(data.workspaceName))}
      description={<Offer offer={data} />}
    >
      <Answer token={token} offer={data} />
    </LonePage>
  );
}

export function InvitationPage() {
  const token = useLinkedText();
  return token === '' ? (
    <NoLink title={invitationWords.againTitle}>{invitationWords.again}</NoLink>
  ) : (
    <Invitation token={token} />
  );
}
