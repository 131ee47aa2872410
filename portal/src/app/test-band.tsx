import { useLocation } from 'wouter';
import { useMode } from '../session/mode.ts';
import { ModeMark } from '../ui/mode-band.tsx';
import { appWords } from '../words/app.tsx';
import { pathsWithMode } from './pages.ts';
import classes from './test-band.module.css';

/** Across the top of every page whose records are not real, so that nobody takes them for real. */
export function TestBand() {
  const [path] = useLocation();
  if (useMode() === 'LIVE' || !pathsWithMode.has(path)) return null;
  return (
    <div className={classes['band']}>
      <ModeMark mode="TEST" />
      {appWords.testData}
    </div>
  );
}
