import { Button, Drawer, Group, Stack, Text } from '@mantine/core';
import { type ApiKeyRecord, scopes as scopeTexts } from '@portico/sdk/portal';
import { useEffect, useRef } from 'react';
import { RecordTrouble } from '../../list/record-drawer.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Fields } from '../../ui/fields.tsx';
import { returnFocus } from '../../ui/focus.ts';
import { formatExact, formatRelative } from '../../ui/format.ts';
import { ModeMark } from '../../ui/mode-band.tsx';
import { actionIcons } from './action-menu.tsx';
import { actionLabels, actionsOf, dangerColor } from './actions.ts';
import { rowIdOf } from './focus.ts';
import classes from './key-drawer.module.css';
import { KeyHistory } from './key-history.tsx';
import { useKey } from './list.ts';
import type { Manager } from './manager.ts';
import { KeyStatus } from './marks.tsx';
import { OpenRotation } from './open-rotation.tsx';

const when = (at: string | null) =>
  at === null ? (
    <Text span c="dimmed" size="sm">
      Never
    </Text>
  ) : (
    `${formatExact(at)} (${formatRelative(at, Date.now())})`
  );

function Scopes({ codes }: { codes: readonly string[] }) {
  const texts: Record<string, string> = scopeTexts;
  if (codes.length === 0) return <span className={classes['warning']}>None: the key may do nothing</span>;
  return (
    <ul className={classes['list']}>
      {codes.map((code) => (
        <li key={code}>
          <span className={classes['code']}>{code}</span>
          <span className={classes['text']}>{texts[code]}</span>
        </li>
      ))}
    </ul>
  );
}

function Addresses({ entries }: { entries: readonly string[] }) {
  if (entries.length === 0) return 'Any address';
  return (
    <ul className={classes['list']}>
      {[...new Set(entries)].map((entry) => (
        <li key={entry} className={classes['code']}>
          {entry}
        </li>
      ))}
    </ul>
  );
}

function fieldsOf(apiKey: ApiKeyRecord) {
  const { apiKeyId, ipWhitelist, expiresAt, lastUsedAt, lastUsedIp } = apiKey;
  return [
    { name: 'Key id', value: <span className={classes['code']}>{apiKeyId}</span>, copy: apiKeyId },
    { name: 'Name', value: apiKey.name, copy: apiKey.name },
    { name: 'Mode', value: <ModeMark mode={apiKey.mode} /> },
    { name: 'Status', value: <KeyStatus status={apiKey.status} /> },
    { name: 'Scopes', value: <Scopes codes={apiKey.scopes} /> },
    {
      name: 'IP addresses',
      value: <Addresses entries={ipWhitelist} />,
      ...(ipWhitelist.length === 0 ? {} : { copy: ipWhitelist.join('\n') }),
    },
    { name: 'Last used', value: when(lastUsedAt), ...(lastUsedAt === null ? {} : { copy: lastUsedAt }) },
    ...(lastUsedIp === null
      ? []
      : [
          {
            name: 'Last used from',
            value: <span className={classes['code']}>{lastUsedIp}</span>,
            copy: lastUsedIp,
          },
        ]),
    { name: 'Created', value: when(apiKey.createdAt), copy: apiKey.createdAt },
    { name: 'Expires', value: when(expiresAt), ...(expiresAt === null ? {} : { copy: expiresAt }) },
    { name: 'Secret version', value: String(apiKey.secretVersion) },
  ];
}

function Actions({ apiKey, manager }: { apiKey: ApiKeyRecord; manager: Manager }) {
  const actions = actionsOf(apiKey, manager.powers);
  if (actions.length === 0) return null;
  return (
    <Group gap={8}>
      {actions.map((action) => {
        const Icon = actionIcons[action];
        return (
          <Button
            // One button that keeps the focus while it changes its name.
            key={action === 'enable' ? 'disable' : action}
            size="xs"
            variant="default"
            {...(action === 'revoke' ? { c: dangerColor } : {})}
            leftSection={<Icon size={14} aria-hidden />}
            onClick={({ currentTarget }) => manager.act(action, apiKey, currentTarget)}
          >
            {actionLabels[action]}
          </Button>
        );
      })}
    </Group>
  );
}

type ContentProps = { apiKeyId: string; known: ApiKeyRecord | undefined; manager: Manager };

function Content({ apiKeyId, known, manager }: ContentProps) {
  const { data, error, refetch, isFetching } = useKey(manager.workspaceId, apiKeyId, known);
  const { quick } = manager;
  const trouble = { error, isFetching, retry: () => void refetch() };
  return (
    <Stack gap="md">
      {data === undefined || error !== null ? <RecordTrouble noun="API key" result={trouble} /> : null}
      {quick.error === null ? null : <ErrorNotice error={quick.error} />}
      {data === undefined ? null : (
        <>
          <Actions apiKey={data} manager={manager} />
          <OpenRotation apiKey={data} manager={manager} />
          <Fields fields={fieldsOf(data)} />
          {manager.powers.isOwner ? (
            <KeyHistory workspaceId={manager.workspaceId} apiKeyId={apiKeyId} />
          ) : null}
        </>
      )}
    </Stack>
  );
}

type Props = Omit<ContentProps, 'apiKeyId'> & { apiKeyId: string | undefined; onClose: () => void };

/** Gives the focus to the row, however the drawer was closed. */
function useReturnToRow(apiKeyId: string | undefined): void {
  const former = useRef(apiKeyId);
  useEffect(() => {
    const left = former.current;
    former.current = apiKeyId;
    if (left !== undefined && apiKeyId === undefined) returnFocus(document.getElementById(rowIdOf(left)));
  }, [apiKeyId]);
}

/** Everything the service says of a key, and what may be done with it. */
export function KeyDrawer({ apiKeyId, known, manager, onClose }: Props) {
  useReturnToRow(apiKeyId);
  // A dialog of an action lies on top, and Escape and Tab are its own.
  const isOnTop = manager.task === undefined;
  return (
    <Drawer
      opened={apiKeyId !== undefined}
      onClose={onClose}
      position="right"
      size={520}
      classNames={{ title: classes['title'] ?? '' }}
      title={known?.name ?? 'API key'}
      closeButtonProps={{ 'aria-label': 'Close' }}
      closeOnEscape={isOnTop}
      trapFocus={isOnTop}
      returnFocus={false}
    >
      {apiKeyId === undefined ? null : (
        <Content key={apiKeyId} apiKeyId={apiKeyId} known={known} manager={manager} />
      )}
    </Drawer>
  );
}
