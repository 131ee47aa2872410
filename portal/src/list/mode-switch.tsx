import type { Mode } from '@portico/sdk/portal';
import { Segments } from '../ui/segments.tsx';
import { listWords } from '../words/list.ts';

const modes: readonly Mode[] = ['LIVE', 'TEST'];
const choices = modes.map((mode) => ({ value: mode, label: mode }));

export function ModeSwitch({ mode, setMode }: { mode: Mode; setMode(mode: Mode): void }) {
  return <Segments legend={listWords.mode} choices={choices} value={mode} onChange={setMode} />;
}
