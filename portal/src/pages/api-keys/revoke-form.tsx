import { Stack, Text, TextInput } from '@mantine/core';
import type { ApiKeyRecord } from '@portico/sdk/portal';
import { type SubmitEvent, useState } from 'react';
import { portal } from '../../session/portal.ts';
import { DialogFoot } from '../../ui/dialog-foot.tsx';
import { GivenName } from '../../ui/given-name.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { keyActionWords } from '../../words/api-keys.tsx';
import { actionLabel } from './actions.ts';
import classes from './dialogs.module.css';
import type { FormProps } from './form-props.ts';
import { KeyBand } from './marks.tsx';
import { LastUse } from './open-rotation.tsx';

/** A field of one line can hold no other spaces. */
const plain = (text: string) => text.trim().replace(/\s+/gu, ' ');

function Consequence({ apiKey }: { apiKey: ApiKeyRecord }) {
  return <Text size="sm">{keyActionWords.revokeMeans(<LastUse at={apiKey.lastUsedAt} />)}</Text>;
}

/** For ever, so the name is typed. */
export function RevokeForm({ apiKey, manager, attempt }: FormProps & { apiKey: ApiKeyRecord }) {
  const [typed, setTyped] = useState('');
  const isRight = plain(typed) === plain(apiKey.name);
  const revoke = async () => {
    await portal.revokeApiKey(manager.workspaceId, apiKey.apiKeyId);
    return keyActionWords.revoked(visibleText(apiKey.name));
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
          label={keyActionWords.typeName(
            <span className={classes['strong']}>
              <GivenName>{plain(apiKey.name)}</GivenName>
            </span>,
          )}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
      </Stack>
      <DialogFoot
        submit={actionLabel('revoke')}
        color="red.9"
        isOff={!isRight}
        isPending={attempt.isPending}
        error={attempt.error}
        onCancel={manager.close}
      />
    </form>
  );
}
