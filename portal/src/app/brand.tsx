import { Group, Text } from '@mantine/core';
import iconUrl from '../ui/icon.svg';

const brand = 'Portico';

export function Brand() {
  return (
    <Group gap={10} wrap="nowrap">
      <img src={iconUrl} width={28} height={28} alt="" />
      <Text fw={700} size="lg">
        {brand}
      </Text>
    </Group>
  );
}
