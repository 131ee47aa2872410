import { ModeSwitch } from '../list/mode-switch.tsx';
import { useMode, useSwitchMode } from '../session/mode.ts';

/** LIVE or TEST, for all pages at once. */
export function ModeControl() {
  return <ModeSwitch mode={useMode()} setMode={useSwitchMode()} />;
}
