import { Stack, Text, TextInput } from '@mantine/core';
import type { ApiKeyRecord } from '@portico/sdk/portal';
import { type SubmitEvent, useState } from 'react';
import { portal } from '../../session/portal.ts';
import { DialogFoot } from '../../ui/dialog-foot.tsx';
import { actionLabels } from './actions.ts';
import classes from './dialogs.module.css';
import type { FormProps } from './form-props.ts';
import { KeyBand } from './marks.tsx';
import { LastUse } from './open-rotation.tsx';

/** A field of one line can hold no other spaces. */
const plain = (text: string) => text.trim().replace(/\s+/gu, ' ');

function Consequence({ apiKey }: { apiKey: ApiKeyRecord }) {
  return (
    <Text size="sm">
      Every call that is signed with this key is refused from now on. This cannot be undone. The key:{' '}
      <LastUse at={apiKey.lastUsedAt} />.
    </Text>
  );
}

/** For ever, so the name is typed. */
export function RevokeForm({ apiKey, manager, attempt }: FormProps & { apiKey: ApiKeyRecord }) {
  const [typed, setTyped] = useState('');
  const isRight = plain(typed) === plain(apiKey.name);
  const revoke = async () => {
    await portal.revokeApiKey(manager.workspaceId, apiKey.apiKeyId);
    return `${apiKey.name} is revoked`;
  };
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isRight) attempt.run(revoke, manager.finish);
  };
  return (
    <form onSubmit={onSubmit}>
      <KeyBand mode={apiKey.mode} />
      <Stack gap="md">
        <Consequence apiKey={apiKey} />
        <TextInput
          data-autofocus
          label={
            <>
              Type “<span className={classes['strong']}>{plain(apiKey.name)}</span>” to confirm
            </>
          }
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
      </Stack>
      <DialogFoot
        submit={actionLabels.revoke}
        color="red.9"
        isOff={!isRight}
        isPending={attempt.isPending}
        error={attempt.error}
        onCancel={manager.close}
      />
    </form>
  );
}
