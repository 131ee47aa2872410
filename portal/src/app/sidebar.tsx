import { Link, useLocation } from 'wouter';
import { useInWorkspace } from '../session/workspace.ts';
import { appWords } from '../words/app.tsx';
import { AccountPanel } from './account-panel.tsx';
import { ColorSchemeSwitch } from './color-scheme-switch.tsx';
import { ModeControl } from './mode-control.tsx';
import { pages } from './pages.ts';
import { PaletteButton } from './palette-control.tsx';
import classes from './sidebar.module.css';
import { TimeZoneSwitch } from './time-zone-switch.tsx';
import { WorkspaceSwitch } from './workspace-switch.tsx';

/** The navigation, and what belongs to the account rather than to a page. */
export function Sidebar({ onLeave = () => {} }: { onLeave?: () => void }) {
  const [path] = useLocation();
  const inWorkspace = useInWorkspace();
  return (
    <div className={classes['sidebar']}>
      <div className={classes['place']}>
        <WorkspaceSwitch />
        <ModeControl />
        <PaletteButton onLeave={onLeave} />
      </div>
      <nav className={classes['nav']} aria-label={appWords.mainNavigation}>
        {pages.map(({ path: to, name, icon: Icon }) => (
          <Link
            key={to}
            href={inWorkspace(to)}
            className={classes['link']}
            aria-current={path === to ? 'page' : undefined}
            onClick={onLeave}
          >
            <Icon size={18} stroke={1.7} aria-hidden />
            {name()}
          </Link>
        ))}
      </nav>
      <div className={classes['foot']}>
        <div className={classes['looks']}>
          <ColorSchemeSwitch />
          <TimeZoneSwitch />
        </div>
        <AccountPanel onLeave={onLeave} />
      </div>
    </div>
  );
}
