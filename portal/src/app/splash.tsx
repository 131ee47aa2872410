import { Burger, Skeleton, Stack, Text } from '@mantine/core';
import { Frame } from './frame.tsx';
import { PageSkeleton } from './page-skeleton.tsx';
import classes from './splash.module.css';

function SideSkeleton() {
  return (
    <div className={classes['side']}>
      <Skeleton height={54} radius="md" />
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
    <Frame side={<SideSkeleton />} burger={<Burger disabled size="sm" aria-label="Open navigation" />}>
      {isServerAway ? (
        <Text role="alert" mb="md">
          The service is not reachable. Trying again…
        </Text>
      ) : null}
      <PageSkeleton />
    </Frame>
  );
}
