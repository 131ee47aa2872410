import { Group, Text } from '@mantine/core';
import iconUrl from '../ui/icon.svg';

export function Brand() {
  return (
    <Group gap={10} wrap="nowrap">
      <img src={iconUrl} width={28} height={28} alt="" />
      <Text fw={700} size="lg">
        Portico
      </Text>
    </Group>
  );
}
