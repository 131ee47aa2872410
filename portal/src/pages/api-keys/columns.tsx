import { UnstyledButton } from '@mantine/core';
import type { ApiKeyRecord } from '@portico/sdk/portal';
import type { Column } from '../../list/list-table.tsx';
import { formatRelative } from '../../ui/format.ts';
import { GivenName } from '../../ui/given-name.tsx';
import { Hint } from '../../ui/hint.tsx';
import { Moment } from '../../ui/values.tsx';
import { apiKeysWords, keyFormWords } from '../../words/api-keys.tsx';
import { uiWords } from '../../words/ui.ts';
import { ActionMenu } from './action-menu.tsx';
import type { Act, Powers } from './actions.ts';
import classes from './columns.module.css';
import { isEndingSoon } from './expiry.ts';
import { rowIdOf } from './focus.ts';
import type { SortField } from './list.ts';
import { KeyStatus } from './marks.tsx';

type KeyColumn = Column<ApiKeyRecord, SortField>;
type Open = (apiKey: ApiKeyRecord) => void;

/** The first of many; all of them on hover. */
function Several({ values }: { values: readonly string[] }) {
  const [first, ...others] = values;
  if (others.length === 0) return <span className={classes['code']}>{first}</span>;
  return (
    <Hint exact={values.join(', ')}>
      <span className={classes['code']}>{first}</span>{' '}
      <span className={classes['quiet']}>{`+${others.length}`}</span>
    </Hint>
  );
}

/** From where calls may come. */
function Addresses({ apiKey: { ipWhitelist } }: { apiKey: ApiKeyRecord }) {
  if (ipWhitelist.length === 0) return <span className={classes['quiet']}>{apiKeysWords.anyAddress}</span>;
  return <Several values={ipWhitelist} />;
}

function Expiry({ apiKey }: { apiKey: ApiKeyRecord }) {
  if (apiKey.expiresAt === null) return <span className={classes['quiet']}>{keyFormWords.never}</span>;
  return (
    <span className={isEndingSoon(apiKey, Date.now()) ? classes['soon'] : undefined}>
      <Moment at={apiKey.expiresAt} />
    </span>
  );
}

const nameColumn = (open: Open): KeyColumn => ({
  header: uiWords.name,
  sort: 'name',
  width: 160,
  render: (apiKey) => (
    <>
      <UnstyledButton
        id={rowIdOf(apiKey.apiKeyId)}
        className={classes['name']}
        aria-haspopup="dialog"
        onClick={(event) => {
          event.stopPropagation();
          open(apiKey);
        }}
      >
        <GivenName>{apiKey.name}</GivenName>
      </UnstyledButton>
      <span className={classes['id']}>{apiKey.apiKeyId}</span>
    </>
  ),
});

const statusColumn = (): KeyColumn => ({
  header: uiWords.status,
  sort: 'status',
  width: 72,
  render: (apiKey) => (
    <>
      <KeyStatus apiKey={apiKey} />
      {apiKey.previousSecretExpiresAt === null || apiKey.status === 'REVOKED' ? null : (
        <span className={classes['note']}>
          <Hint exact={apiKeysWords.oldEnds(formatRelative(apiKey.previousSecretExpiresAt, Date.now()))}>
            {apiKeysWords.rotating}
          </Hint>
        </span>
      )}
    </>
  ),
});

const scopesColumn = (): KeyColumn => ({
  header: apiKeysWords.scopes,
  from: 'md',
  width: 120,
  render: ({ scopes }) =>
    scopes.length === 0 ? (
      <span className={classes['warning']}>{uiWords.none}</span>
    ) : (
      <Several values={scopes} />
    ),
});

const timeColumns = (): KeyColumn[] => [
  {
    header: apiKeysWords.lastUsed,
    sort: 'lastUsedAt',
    align: 'right',
    from: 'md',
    width: 80,
    render: ({ lastUsedAt }) =>
      lastUsedAt === null ? (
        <span className={classes['quiet']}>{uiWords.never}</span>
      ) : (
        <Moment at={lastUsedAt} />
      ),
  },
  {
    header: apiKeysWords.created,
    sort: 'createdAt',
    align: 'right',
    from: 'lg',
    width: 80,
    render: ({ createdAt }) => <Moment at={createdAt} />,
  },
  {
    header: apiKeysWords.expires,
    sort: 'expiresAt',
    align: 'right',
    from: 'sm',
    folds: true,
    width: 64,
    render: (apiKey) => <Expiry apiKey={apiKey} />,
  },
];

const middleColumns = (): KeyColumn[] => [
  statusColumn(),
  scopesColumn(),
  {
    header: apiKeysWords.addresses,
    from: 'xl',
    folds: true,
    width: 96,
    render: (apiKey) => <Addresses apiKey={apiKey} />,
  },
  ...timeColumns(),
];

const actionsColumn = (open: Open, powers: Powers, act: Act): KeyColumn => ({
  header: uiWords.actions,
  align: 'right',
  // On narrow screens they are in the drawer.
  from: 'sm',
  width: 28,
  render: (apiKey) => <ActionMenu apiKey={apiKey} powers={powers} act={act} open={open} />,
});

/** Who may change nothing has no column for it. */
export function columnsOf(open: Open, powers: Powers, act: Act): readonly KeyColumn[] {
  const columns = [nameColumn(open), ...middleColumns()];
  return powers.isOwner ? [...columns, actionsColumn(open, powers, act)] : columns;
}
