import { type MantineColorScheme, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { type Icon, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import classes from './color-scheme-switch.module.css';

const schemes: readonly { scheme: MantineColorScheme; name: string; Icon: Icon }[] = [
  { scheme: 'light', name: 'Light', Icon: IconSun },
  { scheme: 'dark', name: 'Dark', Icon: IconMoon },
  { scheme: 'auto', name: 'As the system', Icon: IconDeviceDesktop },
];

export function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div className={classes['switch']} role="group" aria-label="Colour scheme">
      {schemes.map(({ scheme, name, Icon: SchemeIcon }) => (
        <UnstyledButton
          key={scheme}
          className={classes['choice']}
          aria-label={name}
          aria-pressed={colorScheme === scheme}
          title={name}
          onClick={() => setColorScheme(scheme)}
        >
          <SchemeIcon size={16} aria-hidden />
        </UnstyledButton>
      ))}
    </div>
  );
}
