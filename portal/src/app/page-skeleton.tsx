import { Skeleton, Stack } from '@mantine/core';

/** While the code of a page is on its way: a heading and a card where they will be. */
export function PageSkeleton() {
  return (
    <Stack gap="lg" aria-hidden>
      <Skeleton height={34} width={180} />
      <Skeleton height={480} radius="md" />
    </Stack>
  );
}
