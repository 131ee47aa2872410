import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { listWords } from '../words/list.ts';
import classes from './list-tools.module.css';

/** Opens a record wherever it is in the list; no index serves parts of an id. */
export function OpenById({ open }: { open(id: string): void }) {
  const [draft, setDraft] = useState('');
  const id = draft.trim();
  return (
    <TextInput
      className={classes['byId'] ?? ''}
      label={listWords.openById}
      maxLength={128}
      autoComplete="off"
      spellCheck={false}
      value={draft}
      onChange={({ currentTarget }) => setDraft(currentTarget.value)}
      onKeyDown={({ key }) => {
        if (key !== 'Enter' || id === '') return;
        setDraft('');
        open(id);
      }}
    />
  );
}
