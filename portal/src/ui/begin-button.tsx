import { Button } from '@mantine/core';
import { type Icon, IconPlus } from '@tabler/icons-react';

type Props = {
  label: string;
  icon?: Icon;
  /** Told which button it was, for the focus to return to. */
  onBegin(opener: HTMLElement): void;
};

/** Beside the title of a page: what opens the dialog of something new. */
export function BeginButton({ label, icon: Sign = IconPlus, onBegin }: Props) {
  return (
    <Button
      leftSection={<Sign size={16} aria-hidden />}
      aria-haspopup="dialog"
      onClick={({ currentTarget }) => onBegin(currentTarget)}
    >
      {label}
    </Button>
  );
}
