import { Skeleton, Stack } from '@mantine/core';

/** While the code of a page is on its way: heading and card where they will be. */
export function PageSkeleton() {
  return (
    <Stack gap="lg" aria-hidden>
      <div>
        <Skeleton height={34} width={180} />
        <Skeleton height={14} width={260} mt={10} />
      </div>
      <Skeleton height={640} radius="md" />
    </Stack>
  );
}
