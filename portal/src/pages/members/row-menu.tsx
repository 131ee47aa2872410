import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useRef } from 'react';
import { visibleText } from '../../ui/visible-text.ts';
import { uiWords } from '../../words/ui.ts';

const dangerColor = 'var(--mantine-color-error)';

export type Choice = { label: string; isDanger?: boolean; choose(trigger: HTMLElement | null): void };

/** What may be done with a row. */
export function RowMenu({ of, choices }: { of: string; choices: readonly Choice[] }) {
  const target = useRef<HTMLButtonElement>(null);
  if (choices.length === 0) return null;
  return (
    <Menu position="bottom-end" shadow="md" width={190} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon
          ref={target}
          variant="subtle"
          color="gray"
          aria-label={uiWords.actionsFor(visibleText(of))}
        >
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map(({ label, isDanger, choose }) => (
          <Menu.Item
            key={label}
            {...(isDanger ? { c: dangerColor } : {})}
            onClick={() => choose(target.current)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
