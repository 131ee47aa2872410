import { useEffect, useRef, useState } from 'react';

export type Dropped = { files: File[]; hasFolders: boolean };

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;

/** Folders look like files, and cannot be read as such. */
function readDrop({ dataTransfer }: DragEvent): Dropped {
  const items = [...(dataTransfer?.items ?? [])].filter(({ kind }) => kind === 'file');
  const plain = items.filter((item) => item.webkitGetAsEntry()?.isDirectory !== true);
  const files = plain.map((item) => item.getAsFile()).filter((file) => file !== null);
  return { files, hasFolders: plain.length < items.length };
}

/** Takes files that are dropped anywhere on the page, where the browser would open them instead. Tells whether some hover over it. */
export function useFileDrop(isOn: boolean, onDrop: (dropped: Dropped) => void): boolean {
  const [isOver, setOver] = useState(false);
  const drop = useRef(onDrop);
  drop.current = onDrop;
  useEffect(() => {
    if (!isOn) return;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy';
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const take = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      drop.current(readDrop(event));
    };
    const listeners = { dragenter: over, dragover: over, dragleave: leave, drop: take };
    const all = Object.entries(listeners) as [keyof typeof listeners, (event: DragEvent) => void][]; // Object.entries forgets the names
    for (const [name, listener] of all) addEventListener(name, listener);
    return () => {
      for (const [name, listener] of all) removeEventListener(name, listener);
    };
  }, [isOn]);
  return isOver;
}
