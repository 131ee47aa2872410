import { Button, Checkbox, Group, Stack } from '@mantine/core';
import type { CreatedApiKey } from '@portico/sdk/portal';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Caution } from '../../ui/caution.tsx';
import dialog from '../../ui/dialog.module.css';
import { ShownValue } from '../../ui/shown-value.tsx';
import { useStay } from '../../ui/use-stay.ts';
import classes from './dialogs.module.css';
import type { Manager } from './manager.ts';
import { KeyBand } from './marks.tsx';
import { downloadSecret } from './secret-file.ts';

/** A secret that is shown once. */
export type Issued = { how: 'created' | 'rotated'; key: CreatedApiKey };

type Props = { issued: Issued; manager: Manager };

function Download(key: { apiKeyId: string; secret: string }) {
  return (
    <div>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={() => downloadSecret(key)}
      >
        Download .env file
      </Button>
    </div>
  );
}

const doneTexts = { created: 'is created', rotated: 'has a new secret' };

/** The answer with the secret was lost on its way, and the next one does not have it. */
function LostSecret({ issued: { key, how }, manager }: Props) {
  return (
    <Stack gap="md">
      <Caution role="alert" title="The secret was lost on its way">
        “{key.name}” {doneTexts[how]}, but the answer with the secret did not arrive, and it is shown only
        once. Rotate the key for a new one.
      </Caution>
      <ShownValue name="Key id" value={key.apiKeyId} />
      <Group justify="flex-end">
        <Button onClick={() => manager.finish(`${key.name} ${doneTexts[how]}`)}>Close</Button>
      </Group>
    </Stack>
  );
}

/** Key id and secret in full, once, and no way on before they are stored. */
function ShownSecret({ issued: { key, how }, manager, secret }: Props & { secret: string }) {
  const [isStored, setStored] = useState(false);
  const top = useRef<HTMLDivElement>(null);
  // The button that had the focus is gone with the form.
  useEffect(() => top.current?.focus(), []);
  useStay(!isStored);
  return (
    <div ref={top} tabIndex={-1} className={dialog['raised']}>
      <KeyBand mode={key.mode} />
      <Stack gap="md">
        <Caution role="note" title="This secret is shown only now">
          Store it where your program reads it. Whoever has it can make calls as “{key.name}”.
        </Caution>
        <ShownValue name="Key id" value={key.apiKeyId} />
        <ShownValue name="Secret" value={secret} />
        <Download apiKeyId={key.apiKeyId} secret={secret} />
        <Checkbox
          className={classes['stored'] ?? ''}
          label="I have stored the secret"
          checked={isStored}
          onChange={({ currentTarget }) => setStored(currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button disabled={!isStored} onClick={() => manager.finish(`${key.name} ${doneTexts[how]}`)}>
            Done
          </Button>
        </Group>
      </Stack>
    </div>
  );
}

export function SecretPanel(props: Props) {
  const { secret } = props.issued.key;
  return secret === null ? <LostSecret {...props} /> : <ShownSecret {...props} secret={secret} />;
}
