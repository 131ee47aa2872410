import { Modal, TextInput, VisuallyHidden } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { paletteWords } from '../words/palette.ts';
import classes from './palette.module.css';
import { type Entry, useEntries } from './palette-entries.ts';

type OptionsProps = { id: string; entries: readonly Entry[]; at: number; choose(entry: Entry): void };

const optionId = (id: string, at: number) => `${id}-${at}`;

/** A heading stands before the first entry of each group. */
function Options({ id, entries, at, choose }: OptionsProps) {
  return (
    <div id={id} role="listbox" aria-label={paletteWords.title} className={classes['list']}>
      {entries.map((entry, place) => (
        <div key={entry.id} role="presentation">
          {entries[place - 1]?.group === entry.group ? null : (
            <div className={classes['group']} role="presentation">
              {paletteWords[entry.group]}
            </div>
          )}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus, and its keys choose */}
          <div
            id={optionId(id, place)}
            role="option"
            tabIndex={-1}
            aria-selected={place === at}
            className={classes['option']}
            onClick={() => choose(entry)}
          >
            <bdi className={classes['text']}>{entry.text}</bdi>
            {entry.detail === undefined ? null : <bdi className={classes['detail']}>{entry.detail}</bdi>}
          </div>
        </div>
      ))}
    </div>
  );
}

/** What is chosen stays in sight. */
function useInSight(id: string): void {
  useEffect(() => {
    document.getElementById(id)?.scrollIntoView({ block: 'nearest' });
  }, [id]);
}

function Search({ onClose }: { onClose(): void }) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const entries = useEntries(typed);
  useInSight(optionId(id, at));
  const choose = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((at + step + entries.length) % Math.max(entries.length, 1));
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) choose(entries[at]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        role="combobox"
        aria-label={paletteWords.title}
        aria-expanded
        aria-controls={id}
        aria-activedescendant={entries.length === 0 ? undefined : optionId(id, at)}
        placeholder={paletteWords.placeholder}
        leftSection={<IconSearch size={18} aria-hidden />}
        size="md"
        autoComplete="off"
        spellCheck={false}
        maxLength={128}
        data-autofocus
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      {entries.length === 0 ? <p className={classes['nothing']}>{paletteWords.nothing}</p> : null}
      <Options id={id} entries={entries} at={at} choose={choose} />
      <VisuallyHidden role="status">{paletteWords.found(entries.length)}</VisuallyHidden>
    </>
  );
}

/** Goes anywhere: pages, records by their id, workspaces, and what is done often. */
export function Palette({ onClose }: { onClose(): void }) {
  return (
    <Modal.Root opened onClose={onClose} size={560} yOffset="10dvh" transitionProps={{ duration: 0 }}>
      <Modal.Overlay />
      <Modal.Content aria-label={paletteWords.title}>
        <Modal.Body p={0}>
          <Search onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
