import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { portal } from '../../session/portal.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Page } from '../../ui/page.tsx';
import { accountWords } from '../../words/account.tsx';
import classes from './account.module.css';
import { PasswordSection } from './password-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { accountKey } from './query.ts';
import { SecondFactorSection } from './second-factor-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

/** What belongs to the person rather than to a workspace. */
export function AccountPage() {
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: accountKey,
    queryFn: ({ signal }) => portal.getAccount({ signal }),
  });
  return (
    <Page title={accountWords.title} {...(data === undefined ? {} : { description: data.email })}>
      {error === null ? null : (
        <ErrorNotice error={error} onRetry={() => refetch()} isRetrying={isFetching} />
      )}
      {data === undefined && error === null ? <Skeleton height={320} radius="lg" aria-busy /> : null}
      {data === undefined ? null : (
        <Stack gap="lg" className={classes['sections'] ?? ''}>
          <ProfileSection account={data} />
          <PasswordSection email={data.email} />
          <SecondFactorSection account={data} />
          <SessionsSection />
        </Stack>
      )}
    </Page>
  );
}
