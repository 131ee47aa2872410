import { UnstyledButton } from '@mantine/core';
import type { ApiKeyRecord } from '@portico/sdk/portal';
import type { Column } from '../../list/list-table.tsx';
import { formatRelative } from '../../ui/format.ts';
import { Hint } from '../../ui/hint.tsx';
import { ModeMark } from '../../ui/mode-band.tsx';
import { Moment } from '../../ui/values.tsx';
import { ActionMenu } from './action-menu.tsx';
import type { Act, Powers } from './actions.ts';
import classes from './columns.module.css';
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
      <span className={classes['quiet']}>+{others.length}</span>
    </Hint>
  );
}

function When({ at }: { at: string | null }) {
  return at === null ? <span className={classes['quiet']}>Never</span> : <Moment at={at} />;
}

const nameColumn = (open: Open): KeyColumn => ({
  header: 'Name',
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
        {apiKey.name}
      </UnstyledButton>
      <span className={classes['id']}>{apiKey.apiKeyId}</span>
    </>
  ),
});

const statusColumn: KeyColumn = {
  header: 'Status',
  sort: 'status',
  width: 72,
  render: ({ status, previousSecretExpiresAt }) => (
    <>
      <KeyStatus status={status} />
      {previousSecretExpiresAt === null || status === 'REVOKED' ? null : (
        <span className={classes['note']}>
          <Hint exact={`The old secret ends ${formatRelative(previousSecretExpiresAt, Date.now())}`}>
            Rotating
          </Hint>
        </span>
      )}
    </>
  ),
};

const middleColumns: readonly KeyColumn[] = [
  { header: 'Mode', sort: 'mode', width: 44, render: ({ mode }) => <ModeMark mode={mode} /> },
  statusColumn,
  {
    header: 'Scopes',
    from: 'md',
    width: 120,
    render: ({ scopes }) =>
      scopes.length === 0 ? <span className={classes['warning']}>None</span> : <Several values={scopes} />,
  },
  {
    header: 'IP addresses',
    from: 'xl',
    width: 96,
    render: ({ ipWhitelist }) =>
      ipWhitelist.length === 0 ? (
        <span className={classes['quiet']}>Any</span>
      ) : (
        <Several values={ipWhitelist} />
      ),
  },
  {
    header: 'Last used',
    sort: 'lastUsedAt',
    align: 'right',
    from: 'sm',
    width: 80,
    render: ({ lastUsedAt }) => <When at={lastUsedAt} />,
  },
  {
    header: 'Created',
    sort: 'createdAt',
    align: 'right',
    from: 'sm',
    width: 80,
    render: ({ createdAt }) => <Moment at={createdAt} />,
  },
  {
    header: 'Expires',
    sort: 'expiresAt',
    align: 'right',
    from: 'xl',
    width: 64,
    render: ({ expiresAt }) => <When at={expiresAt} />,
  },
];

const actionsColumn = (open: Open, powers: Powers, act: Act): KeyColumn => ({
  header: 'Actions',
  align: 'right',
  // On narrow screens they are in the drawer.
  from: 'sm',
  width: 28,
  render: (apiKey) => <ActionMenu apiKey={apiKey} powers={powers} act={act} open={open} />,
});

/** Who may change nothing has no column for it. */
export function columnsOf(open: Open, powers: Powers, act: Act): readonly KeyColumn[] {
  const columns = [nameColumn(open), ...middleColumns];
  return powers.isOwner ? [...columns, actionsColumn(open, powers, act)] : columns;
}
