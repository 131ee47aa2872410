import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Caution } from '../../ui/caution.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import dialog from '../../ui/dialog.module.css';
import { saveFile } from '../../ui/save-file.ts';
import { useStay } from '../../ui/use-stay.ts';
import { recoveryWords } from '../../words/account.tsx';
import { copyWords, uiWords } from '../../words/ui.ts';
import classes from './account.module.css';

/** Null: the answer that had them was lost on its way. */
export type Codes = readonly string[] | null;

const fileName = 'portico-recovery-codes.txt';

function Take({ text }: { text: string }) {
  return (
    <Group gap="sm">
      <Copyable value={text}>
        {({ isCopied, copy }) => (
          <Button
            variant="default"
            leftSection={isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            onClick={copy}
          >
            {isCopied ? copyWords.copied : copyWords.copyAll}
          </Button>
        )}
      </Copyable>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={() => saveFile(fileName, `${text}\n`)}
      >
        {uiWords.download}
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
      <Caution role="note" title={recoveryWords.title}>
        {recoveryWords.description}
      </Caution>
      <ul className={classes['codes']} aria-label={recoveryWords.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Take text={codes.join('\n')} />
      <Checkbox
        label={recoveryWords.stored}
        checked={isStored}
        onChange={({ currentTarget }) => setStored(currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button disabled={!isStored} onClick={onDone}>
          {uiWords.done}
        </Button>
      </Group>
    </Stack>
  );
}

function LostCodes({ onDone }: { onDone(): void }) {
  return (
    <Stack gap="md">
      <Caution role="alert" title={recoveryWords.lostTitle}>
        {recoveryWords.lost}
      </Caution>
      <Group justify="flex-end">
        <Button onClick={onDone}>{uiWords.close}</Button>
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
