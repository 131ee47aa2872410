import { Burger, Skeleton, Stack, Text } from '@mantine/core';
import { appWords } from '../words/app.tsx';
import { Frame } from './frame.tsx';
import { PageSkeleton } from './page-skeleton.tsx';
import classes from './splash.module.css';

function SideSkeleton() {
  return (
    <div className={classes['side']}>
      <Stack gap={8}>
        <Skeleton height={54} radius="md" />
        <Skeleton height={36} radius="md" />
        <Skeleton height={36} radius="md" />
      </Stack>
      <Stack gap={2}>
        {['files', 'api-keys', 'channel-types', 'transfers', 'developers'].map((name) => (
          <div key={name} className={classes['link']}>
            <Skeleton height={14} width={120} />
          </div>
        ))}
      </Stack>
    </div>
  );
}

/** While it is found out who is there: the shell with nothing in it yet. */
export function Splash({ isServerAway }: { isServerAway: boolean }) {
  return (
    <Frame
      side={<SideSkeleton />}
      burger={<Burger disabled size="sm" aria-label={appWords.openNavigation} />}
    >
      {isServerAway ? (
        <Text role="alert" mb="md">
          {appWords.serviceAway}
        </Text>
      ) : null}
      <PageSkeleton />
    </Frame>
  );
}
