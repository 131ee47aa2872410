import { ActionIcon, Button, FileButton, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { type FileCategoryCode, fileCategories } from '@portico/sdk/portal';
import { IconUpload, IconX } from '@tabler/icons-react';
import type { SubmitEvent } from 'react';
import { DialogFoot } from '../../ui/dialog-foot.tsx';
import { formatBytes, formatName } from '../../ui/format.ts';
import { GivenName } from '../../ui/given-name.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { filesWords, uploadWords } from '../../words/files.tsx';
import type { Manager } from './manager.ts';
import classes from './upload.module.css';

/** What is to be uploaded. */
export type Draft = { workspace: string; category: FileCategoryCode; remark: string; files: readonly File[] };

type Props = {
  draft: Draft;
  change(to: Partial<Draft>): void;
  hasFolders: boolean;
  manager: Manager;
  onSubmit(): void;
};

const categories = () =>
  Object.entries(fileCategories).map(([value, name]) => ({
    value,
    label: formatName(name),
  }));

function Chosen({ draft: { files }, change }: Pick<Props, 'draft' | 'change'>) {
  if (files.length === 0) return null;
  return (
    <ul className={classes['chosen']} aria-label={uploadWords.chosen}>
      {files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be chosen twice
        <li key={index}>
          <span className={classes['name']}>
            <GivenName>{file.name}</GivenName>{' '}
            <span className={classes['none']}>{formatBytes(file.size)}</span>
          </span>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={uploadWords.leaveOut(visibleText(file.name))}
            onClick={() => change({ files: files.filter((each) => each !== file) })}
          >
            <IconX size={16} />
          </ActionIcon>
        </li>
      ))}
    </ul>
  );
}

function Choice({ draft, change, hasFolders }: Pick<Props, 'draft' | 'change' | 'hasFolders'>) {
  return (
    <div className={classes['zone']}>
      <IconUpload size={24} aria-hidden />
      <FileButton multiple onChange={(more) => change({ files: [...draft.files, ...more] })}>
        {(props) => (
          <Button {...props} variant="default" data-autofocus>
            {uploadWords.choose}
          </Button>
        )}
      </FileButton>
      <Text size="sm" c="dimmed">
        {uploadWords.orDrop}
      </Text>
      {hasFolders ? (
        <Text size="sm" role="alert">
          {uploadWords.noFolders}
        </Text>
      ) : null}
    </div>
  );
}

/** Where they go, and what they are. */
function About({ draft, change, manager }: Pick<Props, 'draft' | 'change' | 'manager'>) {
  return (
    <>
      <NativeSelect
        label={filesWords.workspace}
        value={draft.workspace}
        onChange={({ currentTarget }) => change({ workspace: currentTarget.value })}
        data={manager.writable.map(({ bizId, name }) => ({ value: bizId, label: visibleText(name) }))}
      />
      <NativeSelect
        label={filesWords.category}
        value={String(draft.category)}
        onChange={({ currentTarget }) =>
          change({ category: Number(currentTarget.value) as FileCategoryCode })
        } // one of the options
        data={categories()}
      />
      <TextInput
        label={uploadWords.remark}
        description={uploadWords.remarkAbout}
        maxLength={1000}
        autoComplete="off"
        value={draft.remark}
        onChange={({ currentTarget }) => change({ remark: currentTarget.value })}
      />
    </>
  );
}

/** What is uploaded, where to, and as what. */
export function UploadForm({ draft, change, hasFolders, manager, onSubmit }: Props) {
  const count = draft.files.length;
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={send}>
      <Stack gap="md">
        <Choice draft={draft} change={change} hasFolders={hasFolders} />
        <Chosen draft={draft} change={change} />
        <About draft={draft} change={change} manager={manager} />
      </Stack>
      <DialogFoot
        submit={count < 2 ? uploadWords.upload : uploadWords.uploadCount(count)}
        isOff={count === 0}
        isPending={false}
        error={null}
        onCancel={manager.close}
      />
    </form>
  );
}
