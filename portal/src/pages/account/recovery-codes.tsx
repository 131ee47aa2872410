import { Button, Checkbox, CopyButton, Group, Stack } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Caution } from '../../ui/caution.tsx';
import dialog from '../../ui/dialog.module.css';
import { saveFile } from '../../ui/save-file.ts';
import { useStay } from '../../ui/use-stay.ts';
import classes from './account.module.css';

/** Null: the answer that had them was lost on its way. */
export type Codes = readonly string[] | null;

const fileName = 'portico-recovery-codes.txt';

function Take({ text }: { text: string }) {
  return (
    <Group gap="sm">
      <CopyButton value={text} timeout={1500}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            onClick={copy}
          >
            {copied ? 'Copied' : 'Copy all'}
          </Button>
        )}
      </CopyButton>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={() => saveFile(fileName, `${text}\n`)}
      >
        Download
      </Button>
    </Group>
  );
}

/** All codes, once, and no way on before they are stored. */
function ShownCodes({ codes, onDone }: { codes: readonly string[]; onDone(): void }) {
  const [isStored, setStored] = useState(false);
  useStay(!isStored);
  return (
    <Stack gap="md">
      <Caution role="note" title="These recovery codes are shown only now">
        Each signs you in once when the app is not at hand. Keep them apart from the phone.
      </Caution>
      <ul className={classes['codes']} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Take text={codes.join('\n')} />
      <Checkbox
        label="I have stored the recovery codes"
        checked={isStored}
        onChange={({ currentTarget }) => setStored(currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button disabled={!isStored} onClick={onDone}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}

function LostCodes({ onDone }: { onDone(): void }) {
  return (
    <Stack gap="md">
      <Caution role="alert" title="The recovery codes were lost on their way">
        The second factor is on, but the answer with the recovery codes did not arrive, and they are shown
        only once. Remove the second factor and add it again to get new ones.
      </Caution>
      <Group justify="flex-end">
        <Button onClick={onDone}>Close</Button>
      </Group>
    </Stack>
  );
}

export function RecoveryCodes({ codes, onDone }: { codes: Codes; onDone(): void }) {
  const top = useRef<HTMLDivElement>(null);
  // The field that had the focus is gone with the form.
  useEffect(() => top.current?.focus(), []);
  return (
    <div ref={top} tabIndex={-1} className={dialog['raised']}>
      {codes === null ? <LostCodes onDone={onDone} /> : <ShownCodes codes={codes} onDone={onDone} />}
    </div>
  );
}
