import { useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { appWords } from '../words/app.tsx';
import { SwitchGroup } from './switch-group.tsx';

export function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SwitchGroup
      label={appWords.colourScheme}
      value={colorScheme}
      onChoose={setColorScheme}
      choices={[
        { value: 'light', name: appWords.light, shown: <IconSun size={16} aria-hidden /> },
        { value: 'dark', name: appWords.dark, shown: <IconMoon size={16} aria-hidden /> },
        { value: 'auto', name: appWords.asTheSystem, shown: <IconDeviceDesktop size={16} aria-hidden /> },
      ]}
    />
  );
}
