import { Button, Drawer, Group, Stack, Text } from '@mantine/core';
import type { ApiKeyRecord } from '@portico/sdk/portal';
import { IconListSearch } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { RecordTrouble } from '../../list/record-drawer.tsx';
import { useInWorkspace } from '../../session/workspace.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Fields } from '../../ui/fields.tsx';
import { returnFocus } from '../../ui/focus.ts';
import { formatRelative } from '../../ui/format.ts';
import { GivenName } from '../../ui/given-name.tsx';
import { ModeMark } from '../../ui/mode-band.tsx';
import { formatExact } from '../../ui/time.ts';
import { apiKeysWords, keyFormWords } from '../../words/api-keys.tsx';
import { scopeWords } from '../../words/catalogues.ts';
import { uiWords } from '../../words/ui.ts';
import { actionIcons } from './action-menu.tsx';
import { actionLabel, actionsOf, dangerColor } from './actions.ts';
import { isEndingSoon } from './expiry.ts';
import { rowIdOf } from './focus.ts';
import classes from './key-drawer.module.css';
import { KeyHistory } from './key-history.tsx';
import { useKey } from './list.ts';
import type { Manager } from './manager.ts';
import { KeyStatus } from './marks.tsx';
import { OpenRotation } from './open-rotation.tsx';
import { Simulator } from './simulator.tsx';

const when = (at: string | null, never = uiWords.never) =>
  at === null ? (
    <Text span c="dimmed" size="sm">
      {never}
    </Text>
  ) : (
    `${formatExact(at)} (${formatRelative(at, Date.now())})`
  );

function Scopes({ codes }: { codes: readonly string[] }) {
  const texts: Readonly<Record<string, string>> = scopeWords;
  if (codes.length === 0) return <span className={classes['warning']}>{apiKeysWords.noScope}</span>;
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
  if (entries.length === 0) return apiKeysWords.anyAddress;
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

function Expiry({ apiKey }: { apiKey: ApiKeyRecord }) {
  const text = when(apiKey.expiresAt, keyFormWords.never);
  return isEndingSoon(apiKey, Date.now()) ? <span className={classes['soon']}>{text}</span> : text;
}

function fieldsOf(apiKey: ApiKeyRecord) {
  const { apiKeyId, ipWhitelist, expiresAt, lastUsedAt, lastUsedIp } = apiKey;
  return [
    { name: apiKeysWords.keyId, value: <span className={classes['code']}>{apiKeyId}</span>, copy: apiKeyId },
    { name: uiWords.name, value: <GivenName>{apiKey.name}</GivenName>, copy: apiKey.name },
    { name: uiWords.mode, value: <ModeMark mode={apiKey.mode} /> },
    { name: uiWords.status, value: <KeyStatus apiKey={apiKey} /> },
    { name: apiKeysWords.scopes, value: <Scopes codes={apiKey.scopes} /> },
    {
      name: apiKeysWords.addresses,
      value: <Addresses entries={ipWhitelist} />,
      ...(ipWhitelist.length === 0 ? {} : { copy: ipWhitelist.join('\n') }),
    },
    {
      name: apiKeysWords.lastUsed,
      value: when(lastUsedAt),
      ...(lastUsedAt === null ? {} : { copy: lastUsedAt }),
    },
    ...(lastUsedIp === null
      ? []
      : [
          {
            name: apiKeysWords.lastUsedFrom,
            value: <span className={classes['code']}>{lastUsedIp}</span>,
            copy: lastUsedIp,
          },
        ]),
    { name: apiKeysWords.created, value: when(apiKey.createdAt), copy: apiKey.createdAt },
    {
      name: apiKeysWords.expires,
      value: <Expiry apiKey={apiKey} />,
      ...(expiresAt === null ? {} : { copy: expiresAt }),
    },
    { name: apiKeysWords.secretVersion, value: String(apiKey.secretVersion) },
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
            {actionLabel(action)}
          </Button>
        );
      })}
    </Group>
  );
}

/** Where more is known of the key. */
function Ways({ apiKey: { apiKeyId, mode } }: { apiKey: ApiKeyRecord }) {
  const inWorkspace = useInWorkspace();
  return (
    <Group gap={8}>
      <Button
        size="xs"
        variant="default"
        component={Link}
        href={inWorkspace('/requests', { apiKeyId, mode })}
        leftSection={<IconListSearch size={14} aria-hidden />}
      >
        {apiKeysWords.requests}
      </Button>
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
      {data === undefined || error !== null ? (
        <RecordTrouble noun={apiKeysWords.noun} result={trouble} />
      ) : null}
      {quick.error === null ? null : <ErrorNotice error={quick.error} />}
      {data === undefined ? null : (
        <>
          <Actions apiKey={data} manager={manager} />
          <OpenRotation apiKey={data} manager={manager} />
          <Ways apiKey={data} />
          <Simulator workspaceId={manager.workspaceId} apiKey={data} />
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
      title={known === undefined ? apiKeysWords.noun : <GivenName>{known.name}</GivenName>}
      closeButtonProps={{ 'aria-label': uiWords.close }}
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
