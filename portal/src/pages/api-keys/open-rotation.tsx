import { Button } from '@mantine/core';
import type { ApiKeyRecord } from '@portico/sdk/portal';
import { Moment } from '../../ui/values.tsx';
import { actionLabels, currentSecretOf, oldSecretOf } from './actions.ts';
import type { Manager } from './manager.ts';
import classes from './open-rotation.module.css';

/** When a secret last signed a call. */
export function LastUse({ at }: { at: string | null }) {
  return at === null ? 'never used' : <>last used {<Moment at={at} />}</>;
}

/** What is to be known while two secrets work. */
export function RotationFacts({ apiKey }: { apiKey: ApiKeyRecord }) {
  const old = oldSecretOf(apiKey);
  if (old === undefined || apiKey.previousSecretExpiresAt === null) return null;
  return (
    <ul className={classes['facts']}>
      <li>
        Old secret (version {old.version}): <LastUse at={old.lastUsedAt} />, ends{' '}
        <Moment at={apiKey.previousSecretExpiresAt} />
      </li>
      <li>
        New secret (version {apiKey.secretVersion}):{' '}
        <LastUse at={currentSecretOf(apiKey)?.lastUsedAt ?? null} />
      </li>
    </ul>
  );
}

/** The rotation that is under way, if there is one. */
export function OpenRotation({ apiKey, manager }: { apiKey: ApiKeyRecord; manager: Manager }) {
  if (oldSecretOf(apiKey) === undefined || apiKey.status === 'REVOKED') return null;
  return (
    <section className={classes['box']} aria-label="Rotation">
      <h3 className={classes['title']}>A rotation is open</h3>
      <RotationFacts apiKey={apiKey} />
      {manager.powers.isOwner ? (
        <Button
          size="xs"
          variant="default"
          onClick={({ currentTarget }) => manager.act('end', apiKey, currentTarget)}
        >
          {actionLabels.end}
        </Button>
      ) : null}
    </section>
  );
}
