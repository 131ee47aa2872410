import { ActionIcon, Menu } from '@mantine/core';
import type { ApiKeyRecord } from '@portico/sdk/portal';
import {
  type Icon,
  IconDots,
  IconHourglassOff,
  IconInfoCircle,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react';
import { useRef } from 'react';
import { visibleText } from '../../ui/visible-text.ts';
import { apiKeysWords } from '../../words/api-keys.tsx';
import { uiWords } from '../../words/ui.ts';
import { type Act, type ActionName, actionLabel, actionsOf, dangerColor, type Powers } from './actions.ts';

export const actionIcons: Record<ActionName, Icon> = {
  edit: IconPencil,
  rotate: IconRefresh,
  disable: IconPlayerPause,
  enable: IconPlayerPlay,
  revoke: IconTrash,
  end: IconHourglassOff,
};

type Props = { apiKey: ApiKeyRecord; powers: Powers; act: Act; open: (apiKey: ApiKeyRecord) => void };

/** What may be done with the key of a row. */
export function ActionMenu({ apiKey, powers, act, open }: Props) {
  const target = useRef<HTMLButtonElement>(null);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps clicks from opening the row
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <span onClick={(event) => event.stopPropagation()}>
      <Menu position="bottom-end" shadow="md" width={180} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon
            ref={target}
            variant="subtle"
            color="gray"
            aria-label={uiWords.actionsFor(visibleText(apiKey.name))}
          >
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconInfoCircle size={16} aria-hidden />} onClick={() => open(apiKey)}>
            {apiKeysWords.details}
          </Menu.Item>
          {actionsOf(apiKey, powers).map((action) => {
            const Icon = actionIcons[action];
            return (
              <Menu.Item
                key={action}
                {...(action === 'revoke' ? { c: dangerColor } : {})}
                leftSection={<Icon size={16} aria-hidden />}
                onClick={() => act(action, apiKey, target.current)}
              >
                {actionLabel(action)}
              </Menu.Item>
            );
          })}
        </Menu.Dropdown>
      </Menu>
    </span>
  );
}
