import { useMantineColorScheme } from '@mantine/core';
import { useLocation } from 'wouter';
import { viewsOf } from '../list/use-views.ts';
import { paramsOf } from '../list/views.ts';
import { useMe } from '../session/me.tsx';
import { useMode, useSwitchMode } from '../session/mode.ts';
import { session } from '../session/portal.ts';
import { recentIn } from '../session/recent.ts';
import { chooseTimeZone } from '../session/time-zone.ts';
import { useInWorkspace, useSwitchWorkspace, useWorkspace } from '../session/workspace.ts';
import { placeOfId } from '../ui/record-places.ts';
import { useTimeZone } from '../ui/time.ts';
import { visibleText } from '../ui/visible-text.ts';
import { paletteWords } from '../words/palette.ts';
import { pages, quietPages } from './pages.ts';

type Group = 'records' | 'recent' | 'pages' | 'views' | 'workspaces' | 'actions';
export type Entry = { id: string; group: Group; text: string; detail?: string; run(): void };

const nameOf = (path: string) => [...pages, ...quietPages].find((each) => each.path === path)?.name() ?? path;

/** Pages, and what was looked at or kept in them. */
function usePlaces(): Entry[] {
  const [, navigate] = useLocation();
  const { account } = useMe();
  const workspace = useWorkspace()?.bizId ?? '';
  const inWorkspace = useInWorkspace();
  const recent = recentIn(account.bizId, workspace).map(
    ({ path, parameter, id, mode }): Entry => ({
      id: `recent ${path} ${id}`,
      group: 'recent',
      text: visibleText(id),
      detail: nameOf(path),
      run: () => navigate(inWorkspace(path, { mode, [parameter]: id })),
    }),
  );
  const views = pages.flatMap(({ path, name }) =>
    viewsOf(account.bizId, workspace, path).map(
      (view): Entry => ({
        id: `view ${path} ${view.name}`,
        group: 'views',
        text: visibleText(view.name),
        detail: name(),
        run: () => navigate(`${path}?${paramsOf(view, new URLSearchParams({ workspace }), Date.now())}`),
      }),
    ),
  );
  const all = [...pages, ...quietPages].map(
    ({ path, name }): Entry => ({
      id: `page ${path}`,
      group: 'pages',
      text: name(),
      run: () => navigate(inWorkspace(path)),
    }),
  );
  return [...recent, ...all, ...views];
}

function useWorkspaces(): Entry[] {
  const { workspaces, institutions } = useMe();
  const current = useWorkspace();
  const switchTo = useSwitchWorkspace();
  return workspaces
    .filter(({ bizId }) => bizId !== current?.bizId)
    .map(
      ({ bizId, name, institutionBizId }): Entry => ({
        id: `workspace ${bizId}`,
        group: 'workspaces',
        text: visibleText(name),
        detail: visibleText(institutions.find((each) => each.bizId === institutionBizId)?.name ?? bizId),
        run: () => switchTo(bizId),
      }),
    );
}

function useActions(): Entry[] {
  const mode = useMode();
  const switchMode = useSwitchMode();
  const zone = useTimeZone();
  const { setColorScheme } = useMantineColorScheme();
  const action = (id: string, text: string, run: () => void): Entry => ({ id, group: 'actions', text, run });
  return [
    mode === 'TEST'
      ? action('live', paletteWords.toLive, () => switchMode('LIVE'))
      : action('test', paletteWords.toTest, () => switchMode('TEST')),
    zone === 'UTC'
      ? action('local', paletteWords.toLocal, () => chooseTimeZone('local'))
      : action('utc', paletteWords.toUtc, () => chooseTimeZone('UTC')),
    action('light', paletteWords.toLight, () => setColorScheme('light')),
    action('dark', paletteWords.toDark, () => setColorScheme('dark')),
    // Not heard of, the page stays as it is: its own button says why.
    action(
      'sign-out',
      paletteWords.signOut,
      () => void session.signOut({ everywhere: false }).catch(() => {}),
    ),
  ];
}

/** The record that was asked for by its id. */
function useRecordEntry(asked: string): Entry[] {
  const [, navigate] = useLocation();
  const inWorkspace = useInWorkspace();
  const place = placeOfId(asked);
  if (place === undefined) return [];
  const mode = asked.startsWith('ak_test_') ? { mode: 'TEST' } : {};
  const to = inWorkspace(place.path, { ...mode, [place.parameter]: asked });
  return [
    {
      id: `record ${asked}`,
      group: 'records',
      text: paletteWords.openRecord(asked),
      detail: nameOf(place.path),
      run: () => navigate(to),
    },
  ];
}

const isMeant = ({ text, detail = '' }: Entry, parts: readonly string[]) => {
  const said = `${text} ${detail}`.toLowerCase();
  return parts.every((part) => said.includes(part));
};

/** Everything that one can go to from here and whose name has all that was typed. */
export function useEntries(typed: string): Entry[] {
  const asked = typed.trim();
  const parts = asked.toLowerCase().split(/\s+/);
  const record = useRecordEntry(asked);
  const others = [...usePlaces(), ...useWorkspaces(), ...useActions()];
  return [...record, ...others.filter((entry) => isMeant(entry, parts))];
}
