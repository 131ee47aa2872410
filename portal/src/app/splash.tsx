import { Center, Loader, Stack, Text } from '@mantine/core';

/** While it is found out who is there. */
export function Splash({ isServerAway }: { isServerAway: boolean }) {
  return (
    <Center mih="100dvh" component="main">
      <Stack align="center">
        <Loader aria-label="Loading" />
        {isServerAway ? (
          <Text role="alert" c="dimmed">
            The service is not reachable. Trying again…
          </Text>
        ) : null}
      </Stack>
    </Center>
  );
}
