import { Button } from '@mantine/core';
import type { ApiKeyRecord } from '@portico/sdk/portal';
import { Moment } from '../../ui/values.tsx';
import { secretWords } from '../../words/api-keys.tsx';
import { actionLabel, currentSecretOf, oldSecretOf } from './actions.ts';
import type { Manager } from './manager.ts';
import classes from './open-rotation.module.css';

/** When a secret last signed a call. */
export function LastUse({ at }: { at: string | null }) {
  return at === null ? secretWords.neverUsed : secretWords.lastUsed(<Moment at={at} />);
}

/** What is to be known while two secrets work. */
export function RotationFacts({ apiKey }: { apiKey: ApiKeyRecord }) {
  const old = oldSecretOf(apiKey);
  if (old === undefined || apiKey.previousSecretExpiresAt === null) return null;
  return (
    <ul className={classes['facts']}>
      <li>
        {secretWords.old(
          old.version,
          <LastUse at={old.lastUsedAt} />,
          <Moment at={apiKey.previousSecretExpiresAt} />,
        )}
      </li>
      <li>
        {secretWords.next(apiKey.secretVersion, <LastUse at={currentSecretOf(apiKey)?.lastUsedAt ?? null} />)}
      </li>
    </ul>
  );
}

/** The rotation that is under way, if there is one. */
export function OpenRotation({ apiKey, manager }: { apiKey: ApiKeyRecord; manager: Manager }) {
  if (oldSecretOf(apiKey) === undefined || apiKey.status === 'REVOKED') return null;
  return (
    <section className={classes['box']} aria-label={secretWords.rotation}>
      <h3 className={classes['title']}>{secretWords.isOpen}</h3>
      <RotationFacts apiKey={apiKey} />
      {manager.powers.isOwner ? (
        <Button
          size="xs"
          variant="default"
          onClick={({ currentTarget }) => manager.act('end', apiKey, currentTarget)}
        >
          {actionLabel('end')}
        </Button>
      ) : null}
    </section>
  );
}
