import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import type { CreatedApiKey } from '@portico/sdk/portal';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { portal } from '../../session/portal.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { useAttempt } from './attempt.ts';
import { Caution } from './caution.tsx';
import classes from './dialogs.module.css';
import type { Manager } from './manager.ts';
import { ModeBand } from './marks.tsx';
import { downloadSecret } from './secret-file.ts';
import { useStay } from './use-stay.ts';

/** A secret that is shown once. */
export type Issued = {
  how: 'created' | 'rotated';
  key: CreatedApiKey;
  /** The expiry that was asked for and could not be set. */
  missed?: { expiresAt: string; error: unknown };
};

function Value({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <p className={classes['label']}>{name}</p>
      <div className={classes['secret']}>
        <code>{value}</code> <CopyButton value={value} what={name.toLowerCase()} />
      </div>
    </div>
  );
}

function Download({ of }: { of: CreatedApiKey }) {
  return (
    <div>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={() => downloadSecret(of)}
      >
        Download .env file
      </Button>
    </div>
  );
}

type MissedProps = { apiKeyId: string; missed: NonNullable<Issued['missed']>; manager: Manager };

/** The key was made, but does not end as it was meant to. */
function MissedExpiry({ apiKeyId, missed, manager }: MissedProps) {
  const again = useAttempt();
  const [isSet, setIsSet] = useState(false);
  const { expiresAt } = missed;
  const retry = () =>
    again.run(
      () => portal.changeApiKey(manager.workspaceId, apiKeyId, { expiresAt }),
      () => {
        setIsSet(true);
        void manager.refresh();
      },
    );
  if (isSet) return <Text size="sm">The expiry is set.</Text>;
  return (
    <ErrorNotice
      title="The key works, but its expiry could not be set"
      error={again.error ?? missed.error}
      onRetry={retry}
      isRetrying={again.isPending}
    />
  );
}

/** Key id and secret in full, once, and no way on before they are stored. */
export function SecretPanel({ issued, manager }: { issued: Issued; manager: Manager }) {
  const { key, how, missed } = issued;
  const [isStored, setStored] = useState(false);
  const top = useRef<HTMLDivElement>(null);
  // The button that had the focus is gone with the form.
  useEffect(() => top.current?.focus(), []);
  useStay(!isStored);
  const done = how === 'created' ? 'is created' : 'has a new secret';
  return (
    <div ref={top} tabIndex={-1} className={classes['raised']}>
      <ModeBand mode={key.mode} />
      <Stack gap="md">
        <Caution role="note" title="This secret is shown only now">
          Store it where your program reads it. Whoever has it can make calls as “{key.name}”.
        </Caution>
        {missed === undefined ? null : (
          <MissedExpiry apiKeyId={key.apiKeyId} missed={missed} manager={manager} />
        )}
        <Value name="Key id" value={key.apiKeyId} />
        <Value name="Secret" value={key.secret} />
        <Download of={key} />
        <Checkbox
          className={classes['stored'] ?? ''}
          label="I have stored the secret"
          checked={isStored}
          onChange={({ currentTarget }) => setStored(currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button disabled={!isStored} onClick={() => manager.finish(`${key.name} ${done}`)}>
            Done
          </Button>
        </Group>
      </Stack>
    </div>
  );
}
